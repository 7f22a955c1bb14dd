import type { ChatEvent, FinishReason, Usage } from '#server/dialects/chat.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents, faultOfKind, unreadable } from '#server/dialects/fault.ts'
import { tag } from '#server/dialects/signature.ts'
import { amountOf, arrayOf, compact, type JsonObject, numberOf, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { encodeConverse } from './converse-encode.ts'
import { awsFault } from './fault.ts'

const reasons = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content-filter'],
  ['content_filtered', 'content-filter'],
])

/** Cached tokens are counted beside the others. */
function usageOf(value: unknown): Usage | undefined {
  const usage = objectOf(value)
  if (!usage) return undefined
  const cacheRead = amountOf(usage.cacheReadInputTokens)
  const cacheWrite = amountOf(usage.cacheWriteInputTokens)
  return compact({
    input: amountOf(usage.inputTokens) + cacheRead + cacheWrite,
    output: amountOf(usage.outputTokens),
    cacheRead: cacheRead || undefined,
    cacheWrite: cacheWrite || undefined,
  })
}

const finishOf = (reason: unknown): ChatEvent => ({ type: 'finish', reason: reasons.get(String(reason)) ?? 'stop' })

function reasoningEvents(value: unknown): ChatEvent[] {
  const reasoning = objectOf(value) ?? {}
  const whole = objectOf(reasoning.reasoningText) ?? reasoning
  const text = textOf(whole.text)
  const signature = textOf(whole.signature)
  const redacted = textOf(reasoning.redactedContent)
  return [
    ...(text ? [{ type: 'reasoning-delta', text } as const] : []),
    ...(signature ? [{ type: 'reasoning-signature', signature: tag('anthropic-messages', signature) } as const] : []),
    ...(redacted ? [{ type: 'reasoning-redacted', data: tag('anthropic-messages', redacted) } as const] : []),
  ]
}

function wholeEvents(body: JsonObject): ChatEvent[] {
  const message = objectOf(objectOf(body.output)?.message)
  if (!message) return faultEvents(body.message === undefined ? unreadable() : awsFault(200, body))
  let calls = 0
  const content = arrayOf(message.content).flatMap((value): ChatEvent[] => {
    const block = objectOf(value) ?? {}
    const text = textOf(block.text)
    if (text !== undefined) return [{ type: 'text-delta', text }]
    const use = objectOf(block.toolUse)
    if (!use) return reasoningEvents(block.reasoningContent)
    const index = calls++
    return [
      { type: 'tool-call-start', index, id: textOf(use.toolUseId) ?? '', name: textOf(use.name) ?? '' },
      { type: 'tool-call-delta', index, arguments: JSON.stringify(use.input ?? {}) },
    ]
  })
  const usage = usageOf(body.usage)
  return [
    { type: 'start' },
    ...content,
    finishOf(body.stopReason),
    ...(usage ? [{ type: 'usage', usage } as const] : []),
  ]
}

/** Events of a stream, by their names. */
function createReader(): (event: string | undefined, body: JsonObject) => ChatEvent[] {
  /** The number of a call by the number of its block. */
  const calls = new Map<number, number>()
  return (event, body) => {
    switch (event) {
      case 'messageStart':
        return [{ type: 'start' }]
      case 'contentBlockStart': {
        const use = objectOf(objectOf(body.start)?.toolUse)
        if (!use) return []
        const index = calls.size
        calls.set(numberOf(body.contentBlockIndex) ?? 0, index)
        return [{ type: 'tool-call-start', index, id: textOf(use.toolUseId) ?? '', name: textOf(use.name) ?? '' }]
      }
      case 'contentBlockDelta': {
        const delta = objectOf(body.delta) ?? {}
        const text = textOf(delta.text)
        if (text !== undefined) return [{ type: 'text-delta', text }]
        const input = textOf(objectOf(delta.toolUse)?.input)
        const index = calls.get(numberOf(body.contentBlockIndex) ?? 0) ?? 0
        if (input !== undefined) return [{ type: 'tool-call-delta', index, arguments: input }]
        return reasoningEvents(delta.reasoningContent)
      }
      case 'messageStop':
        return [finishOf(body.stopReason)]
      case 'metadata': {
        const usage = usageOf(body.usage)
        return usage ? [{ type: 'usage', usage }] : []
      }
      case 'error':
        return faultEvents(faultOfKind('overloaded', textOf(body.message) ?? 'The provider reported an error.'))
      default:
        return []
    }
  }
}

/** Amazon Bedrock's Converse: one format for all its models, streams as binary events. */
export const converse: UpstreamDialect = {
  id: 'bedrock-converse',
  framing: 'aws-event-stream',
  carries: new Set(['image', 'file']),
  encodeRequest: encodeConverse,
  decodeResponse(body) {
    const answer = objectOf(body)
    return answer ? wholeEvents(answer) : faultEvents(unreadable())
  },
  streamDecoder() {
    const read = createReader()
    return {
      push({ event, data }) {
        const body = objectOf(parseJson(data))
        return body ? read(event, body) : faultEvents(unreadable())
      },
      end: () => [],
    }
  },
  isLastFrame: ({ event }) => event === 'metadata',
  decodeError: awsFault,
}
