import { encodeClaudeCitation } from '#server/dialects/beside-text/claude-citations.ts'
import type { ChatEvent, ChatRequest, Citation, Usage } from '#server/dialects/chat.ts'
import type { Frame, Json, StreamEncoder } from '#server/dialects/dialect.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { tagCall, toClient } from '#server/dialects/signature.ts'
import { type ContentEvent, createCallOrder } from './call-order.ts'
import { encodeError } from './errors.ts'
import { imageText, stopReason } from './response-encode.ts'
import { encodeUsage } from './usage.ts'

type Kind = 'text' | 'thinking' | 'redacted_thinking' | 'tool_use'

function frame(type: string, fields: { [key: string]: Json }): Frame {
  return { event: type, data: JSON.stringify({ type, ...fields }) }
}

/** Numbers the blocks of one message, of which one is open at a time. */
function createNumbering() {
  let open: Kind | undefined
  let next = 0
  const close = (): Frame[] => {
    if (open === undefined) return []
    open = undefined
    return [frame('content_block_stop', { index: next - 1 })]
  }
  const start = (kind: Kind, block: { [key: string]: Json }): Frame[] => {
    const content_block = { type: kind, ...block }
    const frames = [...close(), frame('content_block_start', { index: next, content_block })]
    next++
    open = kind
    return frames
  }
  return { close, start, isOpen: (kind: Kind) => open === kind, current: () => next - 1 }
}

/** Writes what is said into blocks. */
function createBlocks() {
  const { close, start, isOpen, current } = createNumbering()
  const calls = new Map<number, number>()

  const delta = (fields: Json, index = current()): Frame => frame('content_block_delta', { index, delta: fields })
  const text = (words: string): Frame[] => [
    ...(isOpen('text') ? [] : start('text', { text: '' })),
    delta({ type: 'text_delta', text: words }),
  ]
  const cite = (citation: Citation): Frame[] => [
    ...(isOpen('text') ? [] : start('text', { text: '' })),
    delta({ type: 'citations_delta', citation: encodeClaudeCitation(citation) }),
  ]
  const think = (fields: Json): Frame[] => [
    ...(isOpen('thinking') ? [] : start('thinking', { thinking: '', signature: '' })),
    delta(fields),
  ]
  const sign = (signature: string): Frame[] => [...think({ type: 'signature_delta', signature }), ...close()]
  const call = (event: Extract<ChatEvent, { type: 'tool-call-start' }>): Frame[] => {
    const proof = event.signature === undefined ? [] : [...close(), ...sign(tagCall(event.signature))]
    const block = start('tool_use', { id: event.id, name: event.name, input: {} })
    calls.set(event.index, current())
    return [...proof, ...block]
  }

  const frames = (event: ContentEvent): Frame[] => {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return text(event.text)
      case 'reasoning-delta':
        return think({ type: 'thinking_delta', thinking: event.text })
      case 'reasoning-signature':
        return sign(toClient('anthropic-messages', event.signature))
      case 'reasoning-redacted':
        return [...start('redacted_thinking', { data: toClient('anthropic-messages', event.data) }), ...close()]
      case 'tool-call-start':
        return call(event)
      case 'tool-call-delta':
        return [delta({ type: 'input_json_delta', partial_json: event.arguments }, calls.get(event.index))]
      case 'image':
        return text(imageText(event.url))
      case 'citation':
        return cite(event.citation)
    }
  }
  return { frames, close }
}

/** Writes the events of one message. Its end waits for the usage, which the format reports with the reason to stop. */
export function createStreamEncoder(request: ChatRequest): StreamEncoder {
  const blocks = createBlocks()
  const order = createCallOrder()
  let begun: Extract<ChatEvent, { type: 'start' }> = { type: 'start' }
  let finish: Extract<ChatEvent, { type: 'finish' }> | undefined
  let usage: Usage | undefined
  let opened = false
  let refused = false
  let failed = false

  const open = (): Frame[] => {
    if (opened) return []
    opened = true
    const message = {
      id: prefixedId('msg_', begun.id),
      type: 'message',
      role: 'assistant',
      model: begun.model ?? request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: encodeUsage(usage),
    }
    return [frame('message_start', { message }), frame('ping', {})]
  }

  return {
    push(event) {
      if (event.type === 'start') begun = event
      else if (event.type === 'usage') usage = event.usage
      else if (event.type === 'fault') {
        failed = true
        return [{ event: 'error', data: JSON.stringify(encodeError(event.fault, '')) }]
      } else if (!event.choice) {
        if (event.type === 'refusal-delta') refused = true
        if (event.type !== 'finish') return [...open(), ...order.push(event).flatMap(blocks.frames)]
        finish = event
      }
      return []
    },
    end() {
      if (failed) return []
      const frames = [...open(), ...order.rest().flatMap(blocks.frames), ...blocks.close()]
      if (!finish) return frames
      const delta = {
        stop_reason: stopReason(finish.reason, finish.stopSequence, refused),
        stop_sequence: finish.stopSequence ?? null,
      }
      return [...frames, frame('message_delta', { delta, usage: encodeUsage(usage) }), frame('message_stop', {})]
    },
  }
}
