import { expect, test } from 'bun:test'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import type { ChatEvent, ChatRequest } from './chat.ts'
import type { Dialect, Json } from './dialect.ts'
import { gemini } from './gemini/gemini.ts'
import { createOpenaiChat, openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

interface Client {
  readonly dialect: Dialect
  /** The next request of a client that keeps what it was answered. */
  next(answer: Record<string, never>): Json
}

const ask = { role: 'user', content: 'hi' }

const clients: Client[] = [
  {
    dialect: openaiChat,
    next: ({ choices }: { choices?: { message: Json }[] }) => ({
      model: 'm',
      messages: [ask, choices?.[0]?.message ?? null, { role: 'tool', tool_call_id: 'c1', content: 'ok' }],
    }),
  },
  {
    dialect: openaiResponses,
    next: ({ output }: { output?: Json[] }) => ({
      model: 'm',
      input: [ask, ...(output ?? []), { type: 'function_call_output', call_id: 'c1', output: 'ok' }],
    }),
  },
  {
    dialect: anthropicMessages,
    next: ({ content }: { content?: Json }) => ({
      model: 'm',
      max_tokens: 9,
      messages: [
        ask,
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
      ],
    }),
  },
  {
    dialect: gemini,
    next: ({ candidates }: { candidates?: { content: Json }[] }) => ({
      model: 'm',
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        candidates?.[0]?.content ?? null,
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response: { output: 'ok' } } }] },
      ],
    }),
  },
]

/** An answer of each provider that signs, and the part of the next request in which it wants its proof back. */
const upstreams: { dialect: Dialect; answer: Json; wants: Json }[] = [
  {
    dialect: anthropicMessages,
    answer: {
      id: 'msg_1',
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'UFJPT0Y=' },
        { type: 'tool_use', id: 'c1', name: 'f', input: {} },
      ],
      stop_reason: 'tool_use',
    },
    wants: [
      { type: 'thinking', thinking: 'hm', signature: 'UFJPT0Y=' },
      { type: 'tool_use', id: 'c1', name: 'f', input: {} },
    ],
  },
  {
    dialect: gemini,
    answer: {
      candidates: [
        {
          content: { parts: [{ functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: 'UFJPT0Y=' }] },
          finishReason: 'STOP',
        },
      ],
    },
    wants: [{ functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: 'UFJPT0Y=' }],
  },
  {
    dialect: openaiResponses,
    answer: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: 'UFJPT0Y',
        },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      ],
    },
    wants: [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'UFJPT0Y' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    ],
  },
]

const asked: ChatRequest = { model: 'm', messages: [], stream: false, includeUsage: false }
const overTheWire = (value: Json) => JSON.parse(JSON.stringify(value))
const pairs = clients.flatMap((client) =>
  upstreams.map((upstream) => [client.dialect.id, upstream.dialect.id, client, upstream] as const),
)

test.each(pairs)('a client of %s gives %s its proof back', (_client, _upstream, client, upstream) => {
  const events: ChatEvent[] = upstream.dialect.decodeResponse(upstream.answer)
  const shown = overTheWire(client.dialect.encodeResponse(events, asked))
  const request = client.dialect.decodeRequest(overTheWire(client.next(shown)))
  const sent = JSON.stringify(upstream.dialect.encodeRequest(request))
  const wanted = JSON.stringify(upstream.wants)
  expect(sent).toContain(wanted.slice(1, -1))
})

test.each(pairs)(
  'a client of %s that leaves %s for another provider takes no proof along',
  (_c, _u, client, upstream) => {
    const shown = overTheWire(client.dialect.encodeResponse(upstream.dialect.decodeResponse(upstream.answer), asked))
    const request = client.dialect.decodeRequest(overTheWire(client.next(shown)))
    const strict = createOpenaiChat({ reasoning: false, cacheControl: false, developer: true })
    const others = [strict, openaiResponses, anthropicMessages, gemini].filter(({ id }) => id !== upstream.dialect.id)
    for (const other of others) {
      const isCallProof = upstream.dialect.id === 'gemini' && other.id === 'gemini'
      expect(JSON.stringify(other.encodeRequest(request)).includes('UFJPT0Y')).toBe(isCallProof)
    }
  },
)

test('a proof of another origin reaches clients of Gemini as base64', () => {
  const events = anthropicMessages.decodeResponse(upstreams[0]?.answer)
  const shown = JSON.stringify(gemini.encodeResponse(events, asked))
  const signature = /"thoughtSignature":"([^"]+)"/.exec(shown)?.[1] ?? ''
  expect(Buffer.from(signature, 'base64').toString('base64')).toBe(signature)
})
