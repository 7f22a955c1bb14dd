import { decodeChatCitation } from '#server/dialects/beside-text/citations.ts'
import { decodeLogprobs, withLogprobs } from '#server/dialects/beside-text/logprobs.ts'
import type { ChatEvent, Usage } from '#server/dialects/chat.ts'
import { choiceField } from '#server/dialects/collected-answer.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents } from '#server/dialects/fault.ts'
import { finishReasonOf } from '#server/dialects/finish-reasons.ts'
import { isWholeCall, newCallId } from '#server/dialects/prompt-parts.ts'
import { tag } from '#server/dialects/signature.ts'
import { servingTier } from '#server/dialects/vendor-report.ts'
import { arrayOf, compact, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { reasoningDetailsOf, reasoningTextOf } from './reasoning.ts'
import { decodeUsage } from './usage.ts'

/** A call as the wire numbers it. Vendors that give every call the number 0 distinguish them by id, or send each in one piece. */
interface NumberedCall {
  readonly index: number
  readonly id: string | undefined
  readonly signature: string | undefined
  readonly isWhole: boolean
  /** Arguments that came before the name; null from there on. */
  held: string | null
}

/** Calls and proofs are null until the first comes: most choices have neither. */
interface ChoiceState {
  calls: Map<number, NumberedCall> | null
  made: number
  /** Reasoning came as plain text, which later details only repeat. */
  plainReasoning: boolean
  proofs: Set<string> | null
}

/** Text that vendors send as a list of blocks, thinking among them. */
function contentEvents(content: unknown, choice: number): ChatEvent[] {
  const text = textOf(content)
  if (text !== undefined) return text === '' ? [] : [{ type: 'text-delta', text, ...choiceField(choice) }]
  return arrayOf(content).flatMap((entry): ChatEvent[] => {
    const block = objectOf(entry)
    const blockText = textOf(block?.text)
    if (block?.type === 'text' && blockText) return [{ type: 'text-delta', text: blockText, ...choiceField(choice) }]
    if (block?.type !== 'thinking') return []
    const thoughts = arrayOf(block.thinking).map((thought) => textOf(objectOf(thought)?.text) ?? '')
    return thoughts.some((thought) => thought !== '')
      ? [{ type: 'reasoning-delta', text: thoughts.join(''), ...choiceField(choice) }]
      : []
  })
}

function addReasoning(events: ChatEvent[], delta: JsonObject, state: ChoiceState, choice: number): void {
  const text = reasoningTextOf(delta)
  if (text === '' && delta.reasoning_details === undefined) return
  const at = choiceField(choice)
  state.proofs ??= new Set()
  const details = reasoningDetailsOf(delta, state.proofs)
  const readsDetails = !state.plainReasoning && details.some((detail) => detail.text !== '')
  if (text !== '' && !readsDetails) state.plainReasoning = true
  if (text !== '' && !readsDetails) events.push({ type: 'reasoning-delta', text, ...at })
  for (const detail of details) {
    if (readsDetails && detail.text !== '') events.push({ type: 'reasoning-delta', text: detail.text, ...at })
    if (detail.signature) {
      events.push({ type: 'reasoning-signature', signature: tag('openai-chat', detail.signature), ...at })
    }
    if (detail.redacted) {
      events.push({ type: 'reasoning-redacted', data: tag('openai-chat', detail.redacted), ...at })
    }
  }
}

/** A name with all of its arguments. */
const isWholePiece = (name: string | undefined, text: string): boolean =>
  name !== undefined && text.startsWith('{') && isWholeCall({ arguments: text })

function isAnother(call: NumberedCall, id: string | undefined, name: string | undefined, text: string): boolean {
  if (name === undefined || call.held !== null) return false
  if (id !== undefined && call.id !== undefined) return id !== call.id
  return call.isWhole && isWholePiece(name, text)
}

const argumentsIn = (called: JsonObject): string =>
  textOf(called.arguments) ??
  textOf(called.input) ??
  (objectOf(called.arguments) ? JSON.stringify(called.arguments) : '')

/** Begins a call whose name is known, with the arguments that waited for it. */
function startEvents(call: NumberedCall, id: string | undefined, name: string, choice: number): ChatEvent[] {
  const { index, signature, held } = call
  const at = choiceField(choice)
  const started = { index, id: call.id ?? id ?? newCallId(), name }
  call.held = null
  return [
    compact({ type: 'tool-call-start' as const, ...started, signature, ...at }),
    ...(held ? [{ type: 'tool-call-delta' as const, index, arguments: held, ...at }] : []),
  ]
}

function callEvents(wire: JsonObject, position: number, state: ChoiceState, choice: number): ChatEvent[] {
  const called = objectOf(wire.function) ?? objectOf(wire.custom) ?? nothing
  const number = numberOf(wire.index) ?? position
  const id = textOf(wire.id) || undefined
  const name = textOf(called.name) || undefined
  const text = argumentsIn(called)
  state.calls ??= new Map()
  let call = state.calls.get(number)
  if (!call || isAnother(call, id, name, text)) {
    const signature = textOf(objectOf(objectOf(wire.extra_content)?.google)?.thought_signature)
    call = { index: state.made++, id, signature, isWhole: isWholePiece(name, text), held: '' }
    state.calls.set(number, call)
  }
  const events = name !== undefined && call.held !== null ? startEvents(call, id, name, choice) : []
  if (call.held !== null) call.held += text
  else if (text !== '')
    events.push({ type: 'tool-call-delta', index: call.index, arguments: text, ...choiceField(choice) })
  return events
}

/** Calls that were never named. */
function namelessCalls({ calls }: ChoiceState, choice: number): ChatEvent[] {
  return [...(calls?.values() ?? [])].flatMap((call) =>
    call.held === null ? [] : startEvents(call, undefined, '', choice),
  )
}

function addContent(events: ChatEvent[], content: unknown, logprobs: unknown, choice: number): void {
  if (typeof content === 'string' && !logprobs) {
    if (content !== '') events.push({ type: 'text-delta', text: content, ...choiceField(choice) })
    return
  }
  const tokens = decodeLogprobs(objectOf(logprobs)?.content)
  events.push(...withLogprobs(contentEvents(content, choice), tokens, choice))
}

function addChoice(events: ChatEvent[], wire: JsonObject, state: ChoiceState, choice: number): void {
  const delta = objectOf(wire.delta) ?? objectOf(wire.message) ?? nothing
  const at = choiceField(choice)
  addReasoning(events, delta, state, choice)
  addContent(events, delta.content, wire.logprobs, choice)
  const refusal = textOf(delta.refusal)
  if (refusal) events.push({ type: 'refusal-delta', text: refusal, ...at })
  for (const image of arrayOf(delta.images)) {
    const url = textOf(objectOf(objectOf(image)?.image_url)?.url)
    if (url) events.push({ type: 'image', url, ...at })
  }
  for (const annotation of arrayOf(delta.annotations)) {
    for (const citation of decodeChatCitation(annotation)) events.push({ type: 'citation', citation, ...at })
  }
  let position = 0
  for (const entry of arrayOf(delta.tool_calls)) {
    const call = objectOf(entry)
    if (call) events.push(...callEvents(call, position, state, choice))
    position += 1
  }
  // The only call of a server that knows no list of them.
  const only = objectOf(delta.function_call)
  if (only) events.push(...callEvents({ function: only, index: 0 }, 0, state, choice))
  const spoken = textOf(objectOf(delta.audio)?.transcript)
  if (spoken) events.push({ type: 'text-delta', text: spoken, ...at })
  const finish = textOf(wire.finish_reason)
  if (finish && state.calls) events.push(...namelessCalls(state, choice))
  if (finish === 'error') events.push(...faultEvents(faultOfBody(200, wire)))
  else if (finish) events.push({ type: 'finish', reason: finishReasonOf('openai', finish, state.made > 0), ...at })
}

const nothing: JsonObject = Object.freeze({})

/** Some servers use other fields for an error: `{"detail": …}`, `{"message": …}` or `{"errors": […]}`. */
function holdsError(chunk: JsonObject): boolean {
  const isBare = chunk.choices === undefined && chunk.usage === undefined && chunk.id === undefined
  const says = typeof chunk.message === 'string' || typeof chunk.detail === 'string' || arrayOf(chunk.errors).length > 0
  return Boolean(chunk.error) || chunk.object === 'error' || (isBare && says)
}

const newChoice = (): ChoiceState => ({ calls: null, made: 0, plainReasoning: false, proofs: null })

/** Reads chunks of one stream, or one whole answer, which has the same form but for `message` in the place of `delta`. */
export function createChunkReader(): (chunk: JsonObject) => ChatEvent[] {
  const first = newChoice()
  let others: Map<number, ChoiceState> | null = null
  let started = false
  let tier: Usage['tier']

  const stateOf = (choice: number): ChoiceState => {
    if (choice === 0) return first
    others ??= new Map()
    const state = others.get(choice) ?? newChoice()
    others.set(choice, state)
    return state
  }

  return (chunk) => {
    if (holdsError(chunk)) return faultEvents(faultOfBody(200, chunk))
    const events: ChatEvent[] = []
    const choices = arrayOf(chunk.choices)
    if (!started && (choices.length > 0 || textOf(chunk.id))) {
      started = true
      const { id, model } = chunk
      const created = numberOf(chunk.created) || undefined
      events.push(
        compact({ type: 'start' as const, id: textOf(id) || undefined, model: textOf(model) || undefined, created }),
      )
    }
    for (const entry of choices) {
      const choice = objectOf(entry)
      if (!choice) continue
      const number = numberOf(choice.index) ?? 0
      addChoice(events, choice, stateOf(number), number)
    }
    tier = servingTier(chunk.service_tier) ?? tier
    // Moonshot reports inside of the choice it finishes.
    const usage = decodeUsage(chunk.usage ?? objectOf(choices[0])?.usage)
    if (usage) events.push({ type: 'usage', usage: tier ? { ...usage, tier } : usage })
    return events
  }
}
