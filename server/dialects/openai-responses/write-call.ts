import type { ChatEvent } from '#server/dialects/chat.ts'
import { announceItem, finishItem, newItem, type OpenCall, type Output } from './output.ts'

function callJson(call: OpenCall, args: string, status: string) {
  return { type: 'function_call', id: call.id, call_id: call.callId, name: call.name, arguments: args, status }
}

export function openCall(output: Output, event: Extract<ChatEvent, { type: 'tool-call-start' }>): void {
  const call: OpenCall = { ...newItem(output, 'fc_'), callId: event.id, name: event.name, arguments: '' }
  output.calls.set(event.index, call)
  announceItem(output, call, callJson(call, '', 'in_progress'))
}

export function writeArguments(output: Output, index: number, text: string): void {
  const call = output.calls.get(index)
  if (!call) return
  call.arguments += text
  output.emit('response.function_call_arguments.delta', { item_id: call.id, output_index: call.at, delta: text })
}

export function closeCalls(output: Output): void {
  for (const call of output.calls.values()) {
    const args = call.arguments === '' ? '{}' : call.arguments
    const done = { item_id: call.id, output_index: call.at, name: call.name, arguments: args }
    output.emit('response.function_call_arguments.done', done)
    finishItem(output, call, callJson(call, args, 'completed'))
  }
  output.calls.clear()
}
