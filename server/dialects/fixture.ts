import type { ChatEvent, ChatFault, ChatRequest } from './chat.ts'
import type { Frame, Json, UpstreamDialect } from './dialect.ts'

/** What one wire format does with the cases every provider meets. Generated call ids are written as 'call_*'. */
export interface Fixture {
  readonly dialect: UpstreamDialect
  readonly requests: readonly { name: string; request: Partial<ChatRequest>; body: Json }[]
  readonly answers: readonly { name: string; body: unknown; events: readonly ChatEvent[] }[]
  readonly streams: readonly { name: string; frames: readonly (Frame | Json)[]; events: readonly ChatEvent[] }[]
  readonly errors: readonly { name: string; status: number; body: unknown; fault: Partial<ChatFault> }[]
}

export const weatherTool = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}

/** A question, two parallel calls with their results, and the next question. */
export const toolLoop: ChatRequest['messages'] = [
  { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'user', parts: [{ type: 'text', text: 'Rome and Oslo?' }] },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' },
      { type: 'tool-call', id: 'c2', name: 'weather', arguments: '' },
    ],
  },
  { role: 'tool', callId: 'c1', parts: [{ type: 'text', text: 'sunny' }] },
  { role: 'tool', callId: 'c2', parts: [{ type: 'text', text: 'rain' }] },
]

export const hello: ChatRequest['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]

export const picture = 'data:image/png;base64,iVBORw0KGgo='

export const withPicture: ChatRequest['messages'] = [
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'what is it?' },
      { type: 'image', url: picture },
    ],
  },
]
