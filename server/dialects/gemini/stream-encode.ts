import { encodeGrounding } from '#server/dialects/beside-text/grounding.ts'
import { encodeLogprobsResult } from '#server/dialects/beside-text/logprobs.ts'
import type { ChatEvent, ChatRequest, Citation, Usage } from '#server/dialects/chat.ts'
import type { Frame, Json, StreamEncoder } from '#server/dialects/dialect.ts'
import { geminiFinish } from '#server/dialects/finish-reasons.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { encodeError } from './errors.ts'
import { encodeMedia } from './media.ts'
import { callPart, isShown, proofPart, redactedPart } from './response-encode.ts'
import { encodeUsage } from './usage.ts'

type ChoiceEvent = Exclude<ChatEvent, { type: 'start' | 'usage' | 'fault' }>

interface GatheredCall {
  readonly id: string
  readonly name: string
  readonly signature?: string
  arguments: string
}

interface ChoiceState {
  readonly calls: Map<number, GatheredCall>
  readonly citations: Citation[]
  /** What its citations count positions in. */
  text: string
  finishReason?: string
}

/** Parts an event brings. Calls are whole in this format: they wait until the choice has finished. */
function partsOf(event: ChoiceEvent, state: ChoiceState): Json[] {
  switch (event.type) {
    case 'text-delta':
      state.text += event.text
      return [{ text: event.text }]
    case 'refusal-delta':
      return [{ text: event.text }]
    case 'reasoning-delta':
      return [{ text: event.text, thought: true }]
    case 'reasoning-signature':
      return [proofPart(event.signature)]
    case 'reasoning-redacted':
      return [redactedPart(event.data)]
    case 'image':
      return [encodeMedia({ type: 'image', url: event.url })]
    case 'tool-call-start':
      state.calls.set(event.index, { ...event, arguments: '' })
      return []
    case 'tool-call-delta': {
      const call = state.calls.get(event.index)
      if (call) call.arguments += event.arguments
      return []
    }
    case 'citation':
      state.citations.push(event.citation)
      return []
    case 'finish':
      state.finishReason = geminiFinish[event.reason]
      return [...state.calls.values()].filter((call) => isShown(call, event.reason)).map(callPart)
  }
}

/** Writes the chunks of one stream; the last one says why each choice ended and what was used. */
export function createStreamEncoder(request: ChatRequest): StreamEncoder {
  const states = new Map<number, ChoiceState>()
  let begun: Extract<ChatEvent, { type: 'start' }> = { type: 'start' }
  let responseId: string | undefined
  let usage: Usage | undefined
  let failed = false

  const chunk = (candidates: Json, last: { [key: string]: Json }): Frame => {
    responseId ??= prefixedId('', begun.id)
    const modelVersion = begun.model ?? request.model
    return { data: JSON.stringify({ candidates, ...last, modelVersion, responseId }) }
  }
  const choiceFrames = (event: ChoiceEvent): Frame[] => {
    const index = event.choice ?? 0
    const state = states.get(index) ?? { calls: new Map(), citations: [], text: '' }
    states.set(index, state)
    const parts = partsOf(event, state)
    const likely = encodeLogprobsResult(event.type === 'text-delta' ? event.logprobs : undefined)
    return parts.length === 0 ? [] : [chunk([{ content: { role: 'model', parts }, index, ...likely }], {})]
  }

  return {
    push(event) {
      if (event.type === 'start') begun = event
      else if (event.type === 'usage') usage = event.usage
      else if (event.type === 'fault') {
        failed = true
        return [{ data: JSON.stringify(encodeError(event.fault, '')), bare: true }]
      } else return choiceFrames(event)
      return []
    },
    end() {
      const candidates = [...states].flatMap(([index, { finishReason, text, citations }]) => {
        const content = { role: 'model', parts: [{ text: '' }] }
        return finishReason === undefined ? [] : [{ content, finishReason, index, ...encodeGrounding(text, citations) }]
      })
      if (failed || (candidates.length === 0 && !usage)) return []
      return [chunk(candidates, usage ? { usageMetadata: encodeUsage(usage) } : {})]
    },
  }
}
