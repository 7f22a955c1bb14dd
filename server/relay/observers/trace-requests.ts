import type { RelayObserver } from './observer.ts'

/** Ends the trace of a request with what came of it. Words of the conversation and names of people stay out. */
export const endTrace: RelayObserver = ({ request, outcome, usage, result, durationMs }) => {
  const { trace, ask, delivery, fault } = request
  if (!trace || !ask.entrance) return
  const { operation } = ask.entrance.door
  trace.end(
    `${operation} ${ask.model}`,
    {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': ask.model,
      'gen_ai.usage.input_tokens': usage?.input,
      'gen_ai.usage.output_tokens': usage?.output,
      'switchyard.request_id': request.id,
      'switchyard.stream': ask.stream,
      'switchyard.channel': delivery?.channel.id,
      'switchyard.attempts': request.tried.length,
      'switchyard.outcome': outcome,
      'switchyard.quota': result.paid,
      'switchyard.first_byte_ms': request.firstByteAt > 0 ? request.firstByteAt - request.startedAt : undefined,
    },
    request.startedAt + durationMs,
    outcome === 'failed' ? String(fault?.code ?? fault?.status ?? 'failed') : undefined,
  )
}
