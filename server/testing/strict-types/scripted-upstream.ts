import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ChatEvent, ChatRequest } from '#server/dialects/chat.ts'
import type { Dialect } from '#server/dialects/dialect.ts'
import { createFrameWriter } from '#server/dialects/framing.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { tag } from '#server/dialects/signature.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'

/** Every kind of thing a model can answer, by the word it is asked for with. */
export const answerKinds = ['words', 'calls', 'length', 'refusal', 'picture', 'filtered', 'sources', 'broken'] as const
export type AnswerKind = (typeof answerKinds)[number]

const usage: ChatEvent = { type: 'usage', usage: { input: 30, output: 12, cacheRead: 7, reasoning: 4 } }
const finish = (reason: 'stop' | 'length' | 'tool-calls' | 'content-filter'): ChatEvent => ({ type: 'finish', reason })
const text = (text: string): ChatEvent => ({ type: 'text-delta', text })

const call = (index: number, name: string, text: string): ChatEvent[] => [
  { type: 'tool-call-start', index, id: `call_${index}`, name },
  { type: 'tool-call-delta', index, arguments: text },
]

const proofs: Readonly<Record<string, string>> = {
  'anthropic-messages': tag('anthropic-messages', 'proof'),
  gemini: tag('gemini', 'proof'),
  'openai-chat': tag('openai-chat', 'proof'),
  'openai-responses': tag('openai-responses', 'rs_1 proof'),
}

function eventsOf(kind: AnswerKind, dialect: Dialect, { tools = [] }: ChatRequest): ChatEvent[] {
  switch (kind) {
    case 'words':
      return [
        { type: 'reasoning-delta', text: 'Hm.' },
        {
          type: 'reasoning-signature',
          signature: proofs[dialect.id] ?? '',
        },
        text('Hello '),
        text('there.'),
        finish('stop'),
      ]
    case 'calls':
      return [
        text('Looking.'),
        ...tools.flatMap(({ name }, at) => call(at, name, name === 'shell' ? '{"input":"ls"}' : '{"city":"Rome"}')),
        finish('tool-calls'),
      ]
    case 'broken':
    case 'length':
      return [text('Hel'), finish('length')]
    case 'refusal':
      return [{ type: 'refusal-delta', text: 'No.' }, finish('stop')]
    case 'picture':
      return [{ type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' }, finish('stop')]
    case 'filtered':
      return [text('Well'), finish('content-filter')]
    case 'sources': {
      const likely = { token: 'Rain', logprob: -0.5, bytes: [82, 97, 105, 110] }
      return [
        { type: 'text-delta', text: 'Rain', logprobs: [{ ...likely, top: [likely] }] },
        { type: 'citation', citation: { url: 'https://a.example/', title: 'A', start: 0, end: 4 } },
        finish('stop'),
      ]
    }
  }
}

const dialectAt = (path: string): Dialect | undefined => {
  if (path.includes('/models/')) return gemini
  if (path.endsWith('/messages')) return anthropicMessages
  if (path.endsWith('/responses')) return openaiResponses
  return path.endsWith('/chat/completions') ? openaiChat : undefined
}

/** One that knows chat alone. */
export const chattingUpstream: Behaviour = (request) =>
  request.path.endsWith('/responses') ? new Response('not found', { status: 404 }) : scriptedUpstream(request)

/** A vendor of the kind whose path it is asked at, which answers what the question's last word says. */
export const scriptedUpstream: Behaviour = ({ path, body }) => {
  if (path.endsWith(':batchEmbedContents')) return Response.json({ embeddings: [{ values: [0.5, -1] }] })
  const dialect = dialectAt(path)
  if (!dialect) return Response.json({ error: { message: 'unknown address' } }, { status: 404 })
  const request = dialect.decodeRequest({ model: 'm', ...body, store: undefined })
  const text = JSON.stringify(request.messages)
  const kind = answerKinds.find((word) => text.includes(`tell ${word}`)) ?? 'words'
  const events: ChatEvent[] = [
    { type: 'start', id: '1', model: 'm', created: 1_700_000_000 },
    ...eventsOf(kind, dialect, request),
    usage,
  ]
  if (!request.stream && !path.includes('streamGenerateContent'))
    return Response.json(dialect.encodeResponse(events, request))
  const encoder = dialect.streamEncoder(request)
  const writer = createFrameWriter(dialect.framing)
  const whole = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()]
  const frames = kind === 'broken' ? whole.slice(0, -3) : whole
  return new Response(frames.map(writer.write).join('') + writer.end(), {
    headers: { 'content-type': 'text/event-stream' },
  })
}
