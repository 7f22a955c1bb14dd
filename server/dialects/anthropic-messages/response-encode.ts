import { citationsByText, encodeClaudeCitation } from '#server/dialects/beside-text/claude-citations.ts'
import type { AssistantPart, ChatEvent, ChatRequest, Citation, FinishReason } from '#server/dialects/chat.ts'
import { collectAnswer } from '#server/dialects/collected-answer.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { anthropicFinish } from '#server/dialects/finish-reasons.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { tagCall, toClient } from '#server/dialects/signature.ts'
import { parseObject } from '#server/lib/json.ts'
import { encodeUsage } from './usage.ts'

/** The format has no block for pictures a model made: they are shown as Markdown shows them. */
export function imageText(url: string): string {
  return `![image](${url})`
}

function callProof(signature: string): Json {
  return { type: 'thinking', thinking: '', signature: tagCall(signature) }
}

export function stopReason(finish: FinishReason, stopSequence: string | undefined, refused: boolean): string {
  if (stopSequence !== undefined) return 'stop_sequence'
  return refused && finish === 'stop' ? 'refusal' : anthropicFinish[finish]
}

function encodeText(text: string, citations: readonly Citation[]): Json[] {
  if (text === '') return []
  const cited = citations.length > 0 ? { citations: citations.map(encodeClaudeCitation) } : {}
  return [{ type: 'text', text, ...cited }]
}

function encodeBlock(part: AssistantPart, citations: readonly Citation[]): Json[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return encodeText(part.text, citations)
    case 'reasoning': {
      if (part.redacted !== undefined) {
        return [{ type: 'redacted_thinking', data: toClient('anthropic-messages', part.redacted) }]
      }
      const signature = part.signature === undefined ? '' : toClient('anthropic-messages', part.signature)
      return [{ type: 'thinking', thinking: part.text, signature }]
    }
    case 'tool-call': {
      const input = parseObject(part.arguments) as Json
      const call = { type: 'tool_use', id: part.id, name: part.name, input }
      return part.signature === undefined ? [call] : [callProof(part.signature), call]
    }
    case 'image':
      return [{ type: 'text', text: imageText(part.url) }]
  }
}

export function encodeResponse(events: readonly ChatEvent[], request: ChatRequest): Json {
  const answer = collectAnswer(events)
  const { parts = [], finish, stopSequence, citations = [] } = answer.choices[0] ?? {}
  const texts = parts.filter((part) => part.type === 'text')
  const cited = citationsByText(
    texts.map(({ text }) => text),
    citations,
  )
  const citedIn = new Map<AssistantPart, Citation[]>(texts.map((part, at) => [part, cited[at] ?? []]))
  const refused = parts.some((part) => part.type === 'refusal')
  return {
    id: prefixedId('msg_', answer.id),
    type: 'message',
    role: 'assistant',
    model: answer.model ?? request.model,
    content: parts.flatMap((part) => encodeBlock(part, citedIn.get(part) ?? [])),
    stop_reason: finish === undefined ? null : stopReason(finish, stopSequence, refused),
    stop_sequence: stopSequence ?? null,
    usage: encodeUsage(answer.usage),
  }
}
