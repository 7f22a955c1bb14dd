import type { ChatEvent } from '#server/dialects/chat.ts'
import { isWholeCall } from '#server/dialects/prompt-parts.ts'
import { textOfArguments } from '#server/dialects/tools/text-tool.ts'
import { announceItem, finishItem, type ItemFields, newItem, type OpenCall, type Output } from './output.ts'

function callJson(call: OpenCall, argument: string, status: string): ItemFields {
  const { id, callId, name, namespace } = call
  const head = { id, call_id: callId, name, ...(namespace === undefined ? {} : { namespace }), status }
  return call.takesText
    ? { type: 'custom_tool_call', ...head, input: argument }
    : { type: 'function_call', ...head, arguments: argument }
}

export function openCall(output: Output, event: Extract<ChatEvent, { type: 'tool-call-start' }>): void {
  const tool = output.toolOf(event.name)
  const takesText = tool?.takesText === true
  const { namespace, name } = tool?.origin ?? { name: event.name }
  const call: OpenCall = {
    ...newItem(output, takesText ? 'ctc_' : 'fc_'),
    callId: event.id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    takesText,
    arguments: '',
  }
  output.calls.set(event.index, call)
  announceItem(output, call, callJson(call, '', 'in_progress'))
}

/** Free text can only be read out of arguments that are whole. */
export function writeArguments(output: Output, index: number, text: string): void {
  const call = output.calls.get(index)
  if (!call) return
  call.arguments += text
  if (call.takesText) return
  output.emit('response.function_call_arguments.delta', { item_id: call.id, output_index: call.at, delta: text })
}

const endingOf = ({ ending }: Output, call: OpenCall) => (isWholeCall(call) ? 'completed' : ending)

function closeText(output: Output, call: OpenCall): void {
  const where = { item_id: call.id, output_index: call.at }
  const input = textOfArguments(call.arguments)
  if (input !== '') output.emit('response.custom_tool_call_input.delta', { ...where, delta: input })
  output.emit('response.custom_tool_call_input.done', { ...where, input })
  finishItem(output, call, callJson(call, input, endingOf(output, call)))
}

function closeFunction(output: Output, call: OpenCall): void {
  const { arguments: args } = call
  const done = { item_id: call.id, output_index: call.at, name: call.name, arguments: args }
  output.emit('response.function_call_arguments.done', done)
  finishItem(output, call, callJson(call, args, endingOf(output, call)))
}

function closeCall(output: Output, index: number, call: OpenCall): void {
  // Clients parse the arguments of a call that takes none as well.
  if (call.arguments === '' && output.ending === 'completed') writeArguments(output, index, '{}')
  output.calls.delete(index)
  if (call.takesText) closeText(output, call)
  else closeFunction(output, call)
}

export function closeCalls(output: Output): void {
  for (const [index, call] of output.calls) closeCall(output, index, call)
}

/** Those of which nothing more can come. */
export function closeWholeCalls(output: Output): void {
  for (const [index, call] of output.calls) {
    if (isWholeCall(call)) closeCall(output, index, call)
  }
}
