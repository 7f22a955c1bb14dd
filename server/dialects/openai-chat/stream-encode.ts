import { encodeChatCitation } from '#server/dialects/beside-text/citations.ts'
import { encodeLogprobs } from '#server/dialects/beside-text/logprobs.ts'
import type { ChatEvent, ChatRequest, ReasoningPart, Usage } from '#server/dialects/chat.ts'
import type { Frame, Json, StreamEncoder } from '#server/dialects/dialect.ts'
import { openaiFinish } from '#server/dialects/finish-reasons.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { textOfArguments } from '#server/dialects/tools/text-tool.ts'
import { encodeError } from './errors.ts'
import { encodeReasoningDetail } from './reasoning.ts'
import { encodeImage } from './request-encode.ts'
import { encodeUsage } from './usage.ts'

type ChoiceEvent = Exclude<ChatEvent, { type: 'start' | 'usage' | 'fault' }>

/** What a choice has sent. Reasoning text is kept until its proof arrives, for they must be given back together. */
interface ChoiceState {
  opened: boolean
  reasoning: string
  /** Calls made with free text, which can only be read out of arguments that are whole. */
  readonly texts: Map<number, { readonly id: string; readonly name: string; arguments: string }>
  /** Calls of which no arguments have come. */
  readonly bare: Set<number>
  readonly details: Json[]
}

/** Repeats the details before it: OpenAI's own client keeps only the last value of a field it does not know. */
function reasoningDetail({ details }: ChoiceState, proof: Partial<ReasoningPart>): Json {
  details.push(encodeReasoningDetail({ type: 'reasoning', text: '', ...proof }, details.length))
  return { reasoning_details: [...details] }
}

const written = (index: number, text: string): Json => ({ tool_calls: [{ index, function: { arguments: text } }] })

function startedCall(event: Extract<ChatEvent, { type: 'tool-call-start' }>): Json {
  const extra = { google: { thought_signature: event.signature } }
  const call = { index: event.index, id: event.id, type: 'function', function: { name: event.name, arguments: '' } }
  return { tool_calls: [event.signature === undefined ? call : { ...call, extra_content: extra }] }
}

function deltaOf(event: ChoiceEvent, state: ChoiceState): Json {
  switch (event.type) {
    case 'text-delta':
      return { content: event.text }
    case 'refusal-delta':
      return { refusal: event.text }
    case 'reasoning-delta':
      state.reasoning += event.text
      return { reasoning_content: event.text }
    case 'reasoning-signature': {
      const text = state.reasoning
      state.reasoning = ''
      return reasoningDetail(state, { text, signature: event.signature })
    }
    case 'reasoning-redacted':
      return reasoningDetail(state, { redacted: event.data })
    case 'tool-call-start':
      state.bare.add(event.index)
      return startedCall(event)
    case 'tool-call-delta':
      if (event.arguments !== '') state.bare.delete(event.index)
      return written(event.index, event.arguments)
    case 'image':
      return { images: [encodeImage(event.url)] }
    case 'citation':
      return { annotations: [encodeChatCitation(event.citation)] }
    case 'finish':
      return {}
  }
}

function logprobsOf(event: ChoiceEvent): Json {
  const tokens = event.type === 'text-delta' ? event.logprobs : undefined
  return tokens ? { content: encodeLogprobs(tokens), refusal: null } : null
}

/** Writes the chunks of one stream. The reported usage goes out only to clients that asked for it. */
export function createStreamEncoder(request: ChatRequest): StreamEncoder {
  const states = new Map<number, ChoiceState>()
  let base: { [key: string]: Json } | undefined
  let usage: Usage | undefined
  let failed = false

  const chunk = (choices: Json, report: Json | undefined): Frame => {
    base ??= started({ type: 'start' })
    return { data: JSON.stringify({ ...base, choices, ...(report === undefined ? {} : { usage: report }) }) }
  }
  const started = (event: Extract<ChatEvent, { type: 'start' }>): { [key: string]: Json } => ({
    id: prefixedId('chatcmpl-', event.id),
    object: 'chat.completion.chunk',
    created: event.created ?? 0,
    model: event.model ?? request.model,
  })
  const choiceChunk = (index: number, delta: Json, finish: string | null, logprobs: Json = null): Frame =>
    chunk([{ index, delta, logprobs, finish_reason: finish }], request.includeUsage ? null : undefined)

  const takesText = (name: string) => request.tools?.some((tool) => tool.takesText && tool.name === name) === true
  /** Keeps what belongs to a call with free text; true when nothing is to be written of the event. */
  const keeps = (event: ChoiceEvent, { texts }: ChoiceState): boolean => {
    if (event.type === 'tool-call-start' && takesText(event.name)) {
      texts.set(event.index, { id: event.id, name: event.name, arguments: '' })
      return true
    }
    const call = event.type === 'tool-call-delta' ? texts.get(event.index) : undefined
    if (call && event.type === 'tool-call-delta') call.arguments += event.arguments
    return call !== undefined
  }
  const textCalls = ({ texts }: ChoiceState): Json[] =>
    [...texts].map(([index, { id, name, arguments: text }]) => ({
      tool_calls: [{ index, id, type: 'custom', custom: { name, input: textOfArguments(text) } }],
    }))

  /** Clients parse the arguments of a call that takes none as well. */
  const bareCalls = ({ bare }: ChoiceState): Json[] => [...bare].map((index) => written(index, '{}'))

  const choiceFrames = (event: ChoiceEvent): Frame[] => {
    const index = event.choice ?? 0
    const fresh = { opened: false, reasoning: '', texts: new Map(), bare: new Set<number>(), details: [] }
    const state = states.get(index) ?? fresh
    states.set(index, state)
    if (keeps(event, state)) return []
    const frames: Frame[] = []
    if (!state.opened) frames.push(choiceChunk(index, { role: 'assistant', content: '' }, null))
    state.opened = true
    const finish = event.type === 'finish' ? openaiFinish[event.reason] : null
    if (finish) frames.push(...textCalls(state).map((delta) => choiceChunk(index, delta, null)))
    // A call that the limit cut short before its arguments is not one without any.
    if (finish && finish !== 'length') frames.push(...bareCalls(state).map((delta) => choiceChunk(index, delta, null)))
    frames.push(choiceChunk(index, deltaOf(event, state), finish, logprobsOf(event)))
    return frames
  }

  return {
    push(event) {
      if (event.type === 'start') base ??= started(event)
      else if (event.type === 'usage') usage = event.usage
      else if (event.type === 'fault') {
        failed = true
        return [{ data: JSON.stringify(encodeError(event.fault, '')) }]
      } else return choiceFrames(event)
      return []
    },
    end() {
      const done: Frame = { data: '[DONE]' }
      return request.includeUsage && usage && !failed ? [chunk([], encodeUsage(usage)), done] : [done]
    },
  }
}
