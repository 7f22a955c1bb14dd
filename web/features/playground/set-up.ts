import { useSearchParams } from 'react-router'
import type { ChatAsk, ChatMessage } from '#web/lib/chat-stream.ts'

export const columnsMax = 3

/** What is asked of every model. All of it stands in the address; the key never does. */
export interface SetUp {
  models: string[]
  /** The token that pays; 0 is the first usable one. */
  token: number
  system: string
  temperature: string
  top_p: string
  max_tokens: string
  reasoning: string
  stream: boolean
  json: boolean
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
})

function inAddress(setUp: SetUp): URLSearchParams {
  const params = new URLSearchParams()
  for (const model of setUp.models) params.append('model', model)
  if (setUp.token > 0) params.set('token', String(setUp.token))
  for (const name of texts) if (setUp[name] !== '') params.set(name, setUp[name])
  if (!setUp.stream) params.set('stream', 'off')
  if (setUp.json) params.set('json', 'on')
  return params
}

export function useSetUp(): [SetUp, (change: Partial<SetUp>) => void] {
  const [params, setParams] = useSearchParams()
  const setUp = readSetUp(params)
  const change = (part: Partial<SetUp>) =>
    setParams((before) => inAddress({ ...readSetUp(before), ...part }), { replace: true, preventScrollReset: true })
  return [setUp, change]
}

const numeric = <Name extends string>(name: Name, text: string) => {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? {} : ({ [name]: value } as Partial<Record<Name, number>>)
}

/** The request a model gets. */
export const askOf = (setUp: SetUp, model: string, messages: ChatMessage[]): ChatAsk => ({
  model,
  messages: setUp.system.trim() === '' ? messages : [{ role: 'system', content: setUp.system }, ...messages],
  ...numeric('temperature', setUp.temperature),
  ...numeric('top_p', setUp.top_p),
  ...numeric('max_tokens', setUp.max_tokens),
  ...(setUp.reasoning === '' ? {} : { reasoning_effort: setUp.reasoning }),
  ...(setUp.json ? { response_format: { type: 'json_object' as const } } : {}),
  stream: setUp.stream,
})
