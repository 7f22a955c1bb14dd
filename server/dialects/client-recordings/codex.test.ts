import { describe, expect, test } from 'bun:test'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ChatEvent } from '#server/dialects/chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { withSafeNames } from '#server/dialects/tools/tool-names.ts'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import { additionalTools, customPatch, namespaces } from './codex.ts'

const decode = (body: unknown) => openaiResponses.decodeRequest(body)
const named = (body: unknown) => decode(body).tools?.map((tool) => tool.name)

const call = (name: string, args: string): ChatEvent[] => [
  { type: 'start', id: 'a', model: 'm' },
  { type: 'tool-call-start', index: 0, id: 'call_1', name },
  { type: 'tool-call-delta', index: 0, arguments: args },
  { type: 'finish', reason: 'tool-calls' },
]

const outputOf = (events: ChatEvent[], body: unknown) =>
  arrayOf(objectOf(openaiResponses.encodeResponse(events, decode(body)))?.output)

function framesOf(events: ChatEvent[], body: unknown) {
  const encoder = openaiResponses.streamEncoder(decode(body))
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map((frame) => JSON.parse(frame.data))
}

describe('Codex', () => {
  test('has its namespaces joined, and hosted tools named as left out', () => {
    expect(named(namespaces)).toContain('mcp__echo__say_it')
    expect(named(namespaces)).toContain('multi_agent_v1__send_input')
    expect(decode(namespaces).leftOut).toEqual(['web_search'])
    expect(decode(customPatch).leftOut).toEqual(['tool_search', 'web_search'])
  })

  test('reads calls of a namespace under the name it gave them', () => {
    expect(outputOf(call('mcp__echo__say_it', '{"text":"x"}'), namespaces)[0]).toMatchObject({
      type: 'function_call',
      namespace: 'mcp__echo',
      name: 'say_it',
      arguments: '{"text":"x"}',
    })
  })

  test('has custom tools translated into functions of one text, and reads custom calls', () => {
    const tool = decode(customPatch).tools?.find(({ name }) => name === 'apply_patch')
    expect(tool?.parameters).toMatchObject({ required: ['input'], properties: { input: { type: 'string' } } })
    expect(tool?.description).toContain('start: begin_patch hunk+ end_patch')
    const patch = '*** Begin Patch\n*** End Patch'
    expect(outputOf(call('apply_patch', JSON.stringify({ input: patch })), customPatch)[0]).toMatchObject({
      type: 'custom_tool_call',
      call_id: 'call_1',
      name: 'apply_patch',
      input: patch,
    })
    const frames = framesOf(call('apply_patch', JSON.stringify({ input: patch })), customPatch)
    expect(frames.find((frame) => frame.type === 'response.custom_tool_call_input.done')?.input).toBe(patch)
    expect(frames.some((frame) => frame.type === 'response.function_call_arguments.delta')).toBe(false)
  })

  test('may put its tools into the input, custom ones inside of namespaces', () => {
    expect(named(additionalTools)).toContain('functions__exec')
    expect(outputOf(call('functions__exec', '{"input":"ls"}'), additionalTools)[0]).toMatchObject({
      type: 'custom_tool_call',
      namespace: 'functions',
      name: 'exec',
      input: 'ls',
    })
  })

  test('goes on with a history of custom and namespaced calls', () => {
    const input = [
      ...additionalTools.input,
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      { type: 'custom_tool_call', call_id: 'c1', namespace: 'functions', name: 'exec', input: 'ls' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'a.txt' },
      { type: 'function_call', call_id: 'c2', namespace: 'clock', name: 'sleep', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'slept' }] },
    ]
    const asked = withSafeNames(decode({ ...additionalTools, input }), anthropicMessages)
    const body = objectOf(anthropicMessages.encodeRequest(asked.request))
    expect(body?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'say hi' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'functions__exec', input: { input: 'ls' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a.txt' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c2', name: 'clock__sleep', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2', content: 'slept' }] },
    ])
  })
})
