import { createBlockCitations } from '#server/dialects/beside-text/claude-citations.ts'
import type { ChatEvent } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents } from '#server/dialects/fault.ts'
import { finishReasonOf } from '#server/dialects/finish-reasons.ts'
import { tag } from '#server/dialects/signature.ts'
import { arrayOf, compact, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { decodeUsage, mergeReports } from './usage.ts'

interface OpenedCall {
  readonly index: number
  /** Arguments given with the block's start, used when none are streamed. */
  readonly input: string
  streamed: boolean
}

function deltaEvents(delta: JsonObject, call: OpenedCall | undefined): ChatEvent[] {
  const { content, text: said, thinking, signature, partial_json } = delta
  const text = textOf(said) ?? textOf(thinking) ?? textOf(signature) ?? textOf(partial_json) ?? textOf(content)
  if (!text) return []
  switch (delta.type) {
    case 'text_delta':
      return [{ type: 'text-delta', text }]
    case 'thinking_delta':
    case 'compaction_delta':
      return [{ type: 'reasoning-delta', text }]
    case 'signature_delta':
      return [{ type: 'reasoning-signature', signature: tag('anthropic-messages', text) }]
    case 'input_json_delta':
      if (!call) return []
      call.streamed = true
      return [{ type: 'tool-call-delta', index: call.index, arguments: text }]
    default:
      return []
  }
}

function startEvents(block: JsonObject): ChatEvent[] {
  const text = textOf(block.text)
  // A summary of the conversation is written for the model, as its thoughts are.
  const thinking = textOf(block.type === 'compaction' ? block.content : block.thinking)
  const signature = textOf(block.signature)
  const data = textOf(block.data)
  if (block.type === 'text') return text ? [{ type: 'text-delta', text }] : []
  if (block.type === 'redacted_thinking' && data) {
    return [{ type: 'reasoning-redacted', data: tag('anthropic-messages', data) }]
  }
  if (block.type !== 'thinking' && block.type !== 'compaction') return []
  return [
    ...(thinking ? [{ type: 'reasoning-delta' as const, text: thinking }] : []),
    ...(signature ? [{ type: 'reasoning-signature' as const, signature: tag('anthropic-messages', signature) }] : []),
  ]
}

function finishEvents(ending: JsonObject, madeCalls: boolean): ChatEvent[] {
  const word = textOf(ending.stop_reason)
  if (!word) return []
  const explanation = textOf(objectOf(ending.stop_details)?.explanation)
  const stopSequence = textOf(ending.stop_sequence) || undefined
  const reason = finishReasonOf('anthropic', word, madeCalls)
  return [
    ...(explanation ? [{ type: 'refusal-delta' as const, text: explanation }] : []),
    compact({ type: 'finish' as const, reason, stopSequence }),
  ]
}

function createCalls() {
  const calls = new Map<number, OpenedCall>()
  const open = (block: JsonObject, at: number): ChatEvent[] => {
    const call = { index: calls.size, input: JSON.stringify(objectOf(block.input) ?? {}), streamed: false }
    calls.set(at, call)
    return [{ type: 'tool-call-start', index: call.index, id: textOf(block.id) ?? '', name: textOf(block.name) ?? '' }]
  }
  const close = (at: number): ChatEvent[] => {
    const call = calls.get(at)
    if (!call || call.streamed) return []
    call.streamed = true
    return [{ type: 'tool-call-delta', index: call.index, arguments: call.input }]
  }
  return { open, close, get: (at: number) => calls.get(at), made: () => calls.size > 0 }
}

function startOf(message: JsonObject): ChatEvent {
  return compact({ type: 'start' as const, id: textOf(message.id), model: textOf(message.model) })
}

/** Reads one answer, streamed event by event or whole. */
export function createMessageReader() {
  const calls = createCalls()
  const citations = createBlockCitations()
  let report: JsonObject = {}

  const usageEvents = (usage: unknown): ChatEvent[] => {
    const reported = objectOf(usage)
    if (!reported) return []
    report = mergeReports(report, reported)
    return [{ type: 'usage', usage: decodeUsage(report) }]
  }
  const openBlock = (block: JsonObject, at: number): ChatEvent[] => {
    citations.open()
    if (block.type === 'tool_use') return calls.open(block, at)
    if (block.type === 'text') citations.say(textOf(block.text) ?? '')
    for (const citation of arrayOf(block.citations)) citations.cite(citation)
    return startEvents(block)
  }
  const addToBlock = (delta: JsonObject, at: number): ChatEvent[] => {
    if (delta.type === 'text_delta') citations.say(textOf(delta.text) ?? '')
    if (delta.type === 'citations_delta') citations.cite(delta.citation)
    return deltaEvents(delta, calls.get(at))
  }
  const closeBlock = (at: number): ChatEvent[] => [...calls.close(at), ...citations.close()]

  const event = (event: JsonObject): ChatEvent[] => {
    const at = numberOf(event.index) ?? 0
    switch (event.type) {
      case 'message_start': {
        const message = objectOf(event.message) ?? {}
        return [startOf(message), ...usageEvents(message.usage)]
      }
      case 'content_block_start':
        return openBlock(objectOf(event.content_block) ?? {}, at)
      case 'content_block_delta':
        return addToBlock(objectOf(event.delta) ?? {}, at)
      case 'content_block_stop':
        return closeBlock(at)
      case 'message_delta':
        return [...usageEvents(event.usage), ...finishEvents(objectOf(event.delta) ?? {}, calls.made())]
      default:
        return event.type === 'error' || event.error ? faultEvents(faultOfBody(200, event)) : []
    }
  }
  const message = (message: JsonObject): ChatEvent[] => {
    if (message.type === 'error' || message.error) return faultEvents(faultOfBody(200, message))
    const blocks = arrayOf(message.content).flatMap((entry, at) => {
      return [...openBlock(objectOf(entry) ?? {}, at), ...closeBlock(at)]
    })
    return [startOf(message), ...blocks, ...finishEvents(message, calls.made()), ...usageEvents(message.usage)]
  }
  return { event, message }
}
