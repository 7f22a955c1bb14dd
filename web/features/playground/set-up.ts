import { useSearchParams } from 'react-router'
import { z } from 'zod'
import type { ChatAsk, ChatMessage } from '#web/lib/chat/chat-stream.ts'
import { readDecimal, readWhole } from '#web/lib/input/typed-number.ts'

export const columnsMax = 3

const AskParameters = z.object({
  system: z.string(),
  temperature: z.string(),
  top_p: z.string(),
  max_tokens: z.string(),
  reasoning: z.string(),
  stream: z.boolean(),
  json: z.boolean(),
})
/** What is set for all columns, or for one. */
export type AskParameters = z.output<typeof AskParameters>

const OwnParameters = z.record(z.string(), AskParameters.partial())

/** What is asked of every model. All of it stands in the address; the key never does. */
export interface SetUp extends AskParameters {
  models: string[]
  /** The token that pays; 0 is the first usable one. */
  token: number
  /** By model, what differs there. */
  own: Readonly<Record<string, Partial<AskParameters>>>
}

function readOwn(text: string | null): SetUp['own'] {
  try {
    return OwnParameters.parse(JSON.parse(text ?? ''))
  } catch {
    return {}
  }
}

/** What holds for one model. */
export const parametersOf = (setUp: SetUp, model: string): AskParameters => ({ ...setUp, ...setUp.own[model] })

/** The differences of a model with some more of them; what equals all columns is none. */
export function withOwn(setUp: SetUp, model: string, change: Partial<AskParameters>): SetUp['own'] {
  const entries = Object.entries({ ...setUp.own[model], ...change })
  const differing = entries.filter(([name, value]) => value !== setUp[name as keyof AskParameters])
  return { ...setUp.own, [model]: Object.fromEntries(differing) }
}

const texts = ['system', 'temperature', 'top_p', 'max_tokens', 'reasoning'] as const

const readSetUp = (params: URLSearchParams): SetUp => ({
  models: [...new Set(params.getAll('model'))].slice(0, columnsMax),
  token: Number(params.get('token')) || 0,
  system: params.get('system') ?? '',
  temperature: params.get('temperature') ?? '',
  top_p: params.get('top_p') ?? '',
  max_tokens: params.get('max_tokens') ?? '',
  reasoning: params.get('reasoning') ?? '',
  stream: params.get('stream') !== 'off',
  json: params.get('json') === 'on',
  own: readOwn(params.get('own')),
})

function inAddress(setUp: SetUp): URLSearchParams {
  const params = new URLSearchParams()
  for (const model of setUp.models) params.append('model', model)
  if (setUp.token > 0) params.set('token', String(setUp.token))
  for (const name of texts) if (setUp[name] !== '') params.set(name, setUp[name])
  if (!setUp.stream) params.set('stream', 'off')
  if (setUp.json) params.set('json', 'on')
  const own = Object.entries(setUp.own).filter(
    ([model, own]) => setUp.models.includes(model) && Object.keys(own).length > 0,
  )
  if (own.length > 0) params.set('own', JSON.stringify(Object.fromEntries(own)))
  return params
}

export function useSetUp(): [SetUp, (change: Partial<SetUp>) => void] {
  const [params, setParams] = useSearchParams()
  const setUp = readSetUp(params)
  const change = (part: Partial<SetUp>) =>
    setParams((before) => inAddress({ ...readSetUp(before), ...part }), { replace: true, preventScrollReset: true })
  return [setUp, change]
}

const readers = { temperature: readDecimal, top_p: readDecimal, max_tokens: readWhole } as const

export type NumberKnob = keyof typeof readers

export const isWrongNumber = (name: NumberKnob, text: string): boolean =>
  text.trim() !== '' && readers[name](text) === undefined

const numeric = <Name extends NumberKnob>(name: Name, text: string) => {
  const value = readers[name](text)
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, number>>)
}

/** The request a model gets. */
export function askOf(setUp: SetUp, model: string, messages: ChatMessage[]): ChatAsk {
  const { system, temperature, top_p, max_tokens, reasoning, json, stream } = parametersOf(setUp, model)
  return {
    model,
    messages: system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages],
    ...numeric('temperature', temperature),
    ...numeric('top_p', top_p),
    ...numeric('max_tokens', max_tokens),
    ...(reasoning === '' ? {} : { reasoning_effort: reasoning }),
    ...(json ? { response_format: { type: 'json_object' as const } } : {}),
    stream,
  }
}
