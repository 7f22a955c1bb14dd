import type { ChatEvent, ChatFault, ChatRequest, FinishReason, Usage } from '#server/dialects/chat.ts'
import type { Frame, Json, StreamEncoder } from '#server/dialects/dialect.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { failureOf } from './failure.ts'
import { closeItems, writeEvent } from './item-writer.ts'
import type { ItemFields, Output } from './output.ts'
import { encodeFormat } from './request-encode.ts'
import { encodeToolChoice, encodeTools } from './tools.ts'
import { encodeUsage } from './usage.ts'

/** Everything of a response that repeats what was asked. */
function echo(request: ChatRequest): ItemFields {
  return {
    background: false,
    instructions: null,
    max_output_tokens: request.maxOutputTokens ?? null,
    metadata: {},
    parallel_tool_calls: request.parallelToolCalls ?? true,
    previous_response_id: null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
    store: false,
    temperature: request.temperature ?? null,
    text: {
      format: encodeFormat(request.responseFormat ?? { type: 'text' }),
      verbosity: request.verbosity ?? 'medium',
    },
    tool_choice: encodeToolChoice(request.toolChoice ?? 'auto'),
    tools: encodeTools(request.tools ?? []),
    top_logprobs: request.logprobs?.top ?? 0,
    top_p: request.topP ?? null,
    truncation: 'disabled',
    user: request.user ?? null,
    ...(request.echo as ItemFields | undefined),
  }
}

const incompleteReasons: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

function outcome(finish: FinishReason | undefined, failure: ChatFault | undefined) {
  const reason = finish && incompleteReasons[finish]
  const status = failure ? 'failed' : reason === undefined ? 'completed' : 'incomplete'
  return {
    status,
    error: failure ? failureOf(failure) : null,
    incomplete_details: reason === undefined ? null : { reason },
  }
}

/** Builds one response and the events that report it. `emit` gets every event in order. */
function createResponseBuilder(request: ChatRequest, emit: (type: string, fields: ItemFields) => void) {
  const echoed = echo(request)
  let begun: Extract<ChatEvent, { type: 'start' }> = { type: 'start' }
  let id: string | undefined
  let usage: Usage | undefined
  let finish: FinishReason | undefined
  let failure: ChatFault | undefined
  const idOf = (prefix: string, at: number) => `${prefix}${id?.replace(/^resp_/, '')}_${at}`
  const toolOf = (name: string) => request.tools?.find((tool) => tool.name === name)
  const output: Output = { emit, idOf, toolOf, items: [], calls: new Map(), made: 0, said: 0, ending: 'completed' }

  const response = () => {
    id ??= prefixedId('resp_', begun.id)
    const head = { id, object: 'response', created_at: begun.created ?? 0, model: begun.model ?? request.model }
    const report = usage ? encodeUsage(usage) : null
    return { ...head, ...outcome(finish, failure), output: Object.values(output.items), usage: report, ...echoed }
  }
  const open = () => {
    if (id !== undefined) return
    const fresh = { ...response(), status: 'in_progress', usage: null }
    emit('response.created', { response: fresh })
    emit('response.in_progress', { response: fresh })
  }
  const fail = (fault: ChatFault) => {
    if (failure) return
    open()
    failure = fault
    emit('error', { code: fault.code ?? null, message: fault.message, param: fault.param ?? null })
    emit('response.failed', { response: response() })
  }

  return {
    push(event: ChatEvent): void {
      if (event.type === 'start') begun = event
      else if (event.type === 'usage') usage = event.usage
      else if (event.type === 'fault') fail(event.fault)
      else if (event.choice) return
      else if (event.type === 'finish') finish = event.reason
      else {
        open()
        writeEvent(output, event)
      }
    },
    end(): void {
      if (failure) return
      open()
      if (finish && incompleteReasons[finish]) output.ending = 'incomplete'
      closeItems(output)
      if (finish === undefined) return
      const final = response()
      emit(`response.${final.status}`, { response: final })
    },
    response,
  }
}

export function encodeResponse(events: readonly ChatEvent[], request: ChatRequest): Json {
  const builder = createResponseBuilder(request, () => {})
  for (const event of events) builder.push(event)
  builder.end()
  return builder.response()
}

/** Writes the events of one response. The format repeats the whole output at the end, so it is kept until then. */
export function createStreamEncoder(request: ChatRequest): StreamEncoder {
  let frames: Frame[] = []
  let sequence = 0
  const builder = createResponseBuilder(request, (type, fields) => {
    frames.push({ event: type, data: JSON.stringify({ type, sequence_number: sequence++, ...fields }) })
  })
  const take = (): Frame[] => {
    const taken = frames
    frames = []
    return taken
  }
  return {
    push(event) {
      builder.push(event)
      return take()
    },
    end() {
      builder.end()
      return take()
    },
  }
}
