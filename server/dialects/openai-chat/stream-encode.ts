import type { ChatEvent, ChatRequest, ReasoningPart, Usage } from '#server/dialects/chat.ts'
import type { Frame, Json, StreamEncoder } from '#server/dialects/dialect.ts'
import { openaiFinish } from '#server/dialects/finish-reasons.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { encodeError } from './errors.ts'
import { encodeReasoningDetail } from './reasoning.ts'
import { encodeImage } from './request-encode.ts'
import { encodeUsage } from './usage.ts'

type ChoiceEvent = Exclude<ChatEvent, { type: 'start' | 'usage' | 'fault' }>

/** What a choice has sent. Reasoning text is kept until its proof arrives, for they must be given back together. */
interface ChoiceState {
  opened: boolean
  reasoning: string
  readonly details: Json[]
}

/** Repeats the details before it: OpenAI's own client keeps only the last value of a field it does not know. */
function reasoningDetail({ details }: ChoiceState, proof: Partial<ReasoningPart>): Json {
  details.push(encodeReasoningDetail({ type: 'reasoning', text: '', ...proof }, details.length))
  return { reasoning_details: [...details] }
}

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
      return startedCall(event)
    case 'tool-call-delta':
      return { tool_calls: [{ index: event.index, function: { arguments: event.arguments } }] }
    case 'image':
      return { images: [encodeImage(event.url)] }
    case 'finish':
      return {}
  }
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
  const choiceChunk = (index: number, delta: Json, finish: string | null): Frame =>
    chunk([{ index, delta, logprobs: null, finish_reason: finish }], request.includeUsage ? null : undefined)

  const choiceFrames = (event: ChoiceEvent): Frame[] => {
    const index = event.choice ?? 0
    const state = states.get(index) ?? { opened: false, reasoning: '', details: [] }
    states.set(index, state)
    const frames: Frame[] = []
    if (!state.opened) frames.push(choiceChunk(index, { role: 'assistant', content: '' }, null))
    state.opened = true
    const finish = event.type === 'finish' ? openaiFinish[event.reason] : null
    frames.push(choiceChunk(index, deltaOf(event, state), finish))
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
