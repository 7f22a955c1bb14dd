import { z } from 'zod'
import { reach } from '#web/lib/api.ts'
import { eventData } from './sse.ts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string | Array<{ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }>
}

export interface ChatAsk {
  model: string
  messages: ChatMessage[]
  temperature?: number
  top_p?: number
  max_tokens?: number
  reasoning_effort?: string
  response_format?: { type: 'json_object' }
  stream: boolean
}

export interface ChatProgress {
  text: string
  /** Milliseconds from sending to the first byte of the answer. */
  firstByte?: number
  /** Milliseconds from sending to the end. */
  duration?: number
  input?: number
  output?: number
  requestId?: string
}

const Usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish()
const Chunk = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })).default([]),
  usage: Usage,
})
const Whole = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).default([]),
  usage: Usage,
})
const Refusal = z.object({ error: z.object({ message: z.string() }) })

const messageOf = async (response: Response): Promise<string> => {
  const parsed = Refusal.safeParse(await response.json().catch(() => null))
  return parsed.data?.error.message ?? `Request failed with status code ${response.status}`
}

const figures = (usage: z.output<typeof Usage>) =>
  usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : {}

/** Sends a chat through the relay with a token's key and reports its progress. Throws with the relay's own message. */
export async function* streamChat(key: string, ask: ChatAsk, signal: AbortSignal): AsyncGenerator<ChatProgress> {
  const began = performance.now()
  const since = () => performance.now() - began
  const body = ask.stream ? { ...ask, stream_options: { include_usage: true } } : ask
  const response = await reach('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    credentials: 'omit',
  })
  const requestId = response.headers.get('x-request-id') ?? ''
  if (!response.ok || !response.body) throw new Error(await messageOf(response))
  if (!ask.stream) {
    const { choices, usage } = Whole.parse(await response.json())
    const at = since()
    yield { text: choices[0]?.message.content ?? '', firstByte: at, duration: at, requestId, ...figures(usage) }
    return
  }
  let progress: ChatProgress = { text: '', requestId }
  for await (const data of eventData(response.body)) {
    if (data === '[DONE]') break
    const parsed: unknown = JSON.parse(data)
    const refused = Refusal.safeParse(parsed)
    if (refused.success) throw new Error(refused.data.error.message)
    const { choices, usage } = Chunk.parse(parsed)
    const text = progress.text + (choices[0]?.delta?.content ?? '')
    progress = { ...progress, firstByte: progress.firstByte ?? since(), text, ...figures(usage) }
    yield progress
  }
  yield { ...progress, duration: since() }
}
