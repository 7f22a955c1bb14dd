import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Behaviour, chatAnswer, eventStream } from '#server/testing/fake-upstream.ts'
import { giveId } from '#server/testing/given-id.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { strangerKey } from '#server/testing/stranger-key.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let stranger: string
beforeAll(async () => {
  scene = await startRelayScene()
  stranger = await strangerKey(scene)
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const plain = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const asStranger = () => ({ headers: { authorization: `Bearer ${stranger}` } })
const hello = [{ role: 'user', content: 'hi' }]
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
const responseOf = (output: unknown[]): Behaviour => {
  const response = { id: 'resp_x', object: 'response', status: 'completed', output, usage }
  return ({ body }) =>
    body.stream
      ? eventStream(`event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response })}\n\n`)(
          { signal: new AbortController().signal } as never,
        )
      : Response.json(response)
}

const responses = '/v1/responses'
const messages = '/v1/messages'

describe('sound', () => {
  const audio = { id: 'audio_9', data: 'AAAA', transcript: 'hello', expires_at: 1 }
  const message = { role: 'assistant', content: null, refusal: null, audio }
  const totals = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const head = { id: 'c1', created: 1, model: 'gpt-4o' }
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const speaks: Behaviour = ({ body, signal }) =>
    body.stream
      ? eventStream(
          chunk({ role: 'assistant', audio: { id: `${audio.id}s` } }),
          chunk({ audio: { transcript: 'hel{lo' } }),
          chunk({ audio: { data: 'AAAA' } }),
          chunk({}, 'stop'),
          `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage: totals })}\n\n`,
          'data: [DONE]\n\n',
        )({ signal } as never)
      : Response.json({
          ...head,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: totals,
        })
  const ask = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }

  test.each([false, true])(
    'goes on at the channel that spoke, streamed %p, and is unknown to others',
    async (stream) => {
      const first = await scene.channel(speaks, { priority: 1 })
      const other = await scene.channel(plain)
      expect((await scene.chat({ ...ask, stream })).status).toBe(200)
      await scene.books()
      await scene.root.call(api.channels.update, { id: first.id, priority: -1 })
      const again = {
        ...ask,
        messages: [...hello, { role: 'assistant', audio: { id: stream ? 'audio_9s' : 'audio_9' } }],
      }
      const asked = first.seen.length
      expect((await scene.chat(again)).status).toBe(200)
      expect(first.seen).toHaveLength(asked + 1)
      expect((await scene.chat(again, asStranger())).status).toBe(404)
      expect(first.seen).toHaveLength(asked + 1)
      expect(other.seen).toHaveLength(0)
    },
  )
})

describe('containers of code', () => {
  const output = [
    {
      type: 'code_interpreter_call',
      id: 'ci_9',
      container_id: 'cntr_9',
      code: 'x',
      status: 'completed',
      outputs: null,
    },
    {
      type: 'message',
      id: 'msg_9',
      role: 'assistant',
      status: 'completed',
      content: [
        {
          type: 'output_text',
          text: 'here',
          annotations: [
            {
              type: 'container_file_citation',
              container_id: 'cntr_9',
              file_id: 'cfile_9',
              start_index: 0,
              end_index: 4,
              filename: 'a.txt',
            },
          ],
        },
      ],
    },
  ]

  test.each([false, true])(
    'OpenAI gave out are known in the next turn, streamed %p, whatever is stored',
    async (stream) => {
      const upstream = await scene.channel(responseOf(output))
      const ask = {
        model: 'gpt-4o',
        store: false,
        stream,
        tools: [{ type: 'code_interpreter', container: { type: 'auto' } }],
      }
      expect((await (await scene.post(responses, { ...ask, input: 'hi' })).text()).includes('cntr_9')).toBe(true)
      const history = {
        ...ask,
        stream: false,
        input: [{ role: 'user', content: 'hi' }, ...output, { role: 'user', content: 'more' }],
      }
      expect((await scene.post(responses, history)).status).toBe(200)
      expect(
        (
          await scene.post(responses, {
            ...ask,
            input: 'x',
            tools: [{ type: 'code_interpreter', container: 'cntr_9' }],
          })
        ).status,
      ).toBe(200)
      const asked = upstream.seen.length
      expect((await scene.post(responses, history, asStranger())).status).toBe(404)
      expect(upstream.seen).toHaveLength(asked)
    },
  )

  test('of an earlier answer do not keep another model from going on', async () => {
    const openai = await scene.channel(plain)
    await scene.channel(plain, { type: 8, models: 'gpt-4.1' })
    await giveId(scene, 'item', 'cntr_9', openai.id)
    await giveId(scene, 'item', 'cfile_9', openai.id)
    const input = [{ role: 'user', content: 'hi' }, ...output, { role: 'user', content: 'more' }]
    expect((await scene.post(responses, { model: 'gpt-4.1', input })).status).toBe(200)
  })

  test.each([false, true])('Anthropic gave out are known with their files, streamed %p', async (stream) => {
    const result = {
      type: 'bash_code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'bash_code_execution_result',
        stdout: '',
        stderr: '',
        return_code: 0,
        content: [{ type: 'bash_code_execution_output', file_id: `file_made${stream}` }],
      },
    }
    const container = { id: `container_${stream}`, expires_at: '2030-01-01T00:00:00Z' }
    const reply = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [result, { type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    }
    const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
    const upstream = await scene.channel(
      ({ body, signal }) =>
        body.stream
          ? eventStream(
              event('message_start', { message: { ...reply, content: [] } }),
              event('content_block_start', { index: 0, content_block: result }),
              event('content_block_stop', { index: 0 }),
              event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
              event('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'hi' } }),
              event('message_delta', { delta: { stop_reason: 'end_turn', container }, usage: reply.usage }),
              event('message_stop', {}),
            )({ signal } as never)
          : Response.json({ ...reply, container }),
      { type: 14 },
    )
    const ask = {
      model: 'gpt-4o',
      max_tokens: 20,
      messages: hello,
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
    }
    await (await scene.post(messages, { ...ask, stream })).text()
    const next = {
      ...ask,
      container: container.id,
      messages: [...hello, { role: 'assistant', content: reply.content }, ...hello],
    }
    expect((await scene.post(messages, next)).status).toBe(200)
    const asked = upstream.seen.length
    expect((await scene.post(messages, next, asStranger())).status).toBe(404)
    expect(upstream.seen).toHaveLength(asked)
  })
})

describe('an id that a model was asked to write', () => {
  test('in the input of a tool makes no file of Anthropic the own', async () => {
    const written = { type: 'bash_code_execution_output', file_id: 'file_of_another' }
    const reply = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { ...written, content: [written] } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 5 },
    }
    const upstream = await scene.channel(() => Response.json(reply), { type: 14 })
    const tools = [{ name: 'f', input_schema: { type: 'object' } }]
    const ask = { model: 'gpt-4o', max_tokens: 20, messages: hello, tools }
    expect((await scene.post(messages, ask)).status).toBe(200)
    const headers = { authorization: `Bearer ${scene.key}`, 'anthropic-version': '2023-06-01' }
    expect((await fetch(`${scene.app.url}/v1/files/file_of_another`, { headers })).status).toBe(404)
    expect(upstream.seen).toHaveLength(1)
  })

  test.each([
    ['an action', { type: 'local_shell_call', id: 'l', action: { type: 'exec', env: { container_id: 'cntr_x' } } }],
    ['a tool', { type: 'mcp_list_tools', id: 'm', tools: [{ name: 'f', input_schema: { container_id: 'cntr_x' } }] }],
    ['a found tool', { type: 'tool_search_output', id: 't', tools: [{ parameters: { container_id: 'cntr_x' } }] }],
  ])('in %s of an answer makes no container of OpenAI the own', async (_, item) => {
    const upstream = await scene.channel(responseOf([item]))
    expect((await scene.post(responses, { model: 'gpt-4o', input: 'hi' })).status).toBe(200)
    const tools = [{ type: 'code_interpreter', container: 'cntr_x' }]
    expect((await scene.post(responses, { model: 'gpt-4o', input: 'hi', tools })).status).toBe(404)
    expect(upstream.seen).toHaveLength(1)
  })

  test('does not hide the container in which a shell ran', async () => {
    const environment = { type: 'container_reference', container_id: 'cntr_s' }
    await scene.channel(responseOf([{ type: 'shell_call', id: 's', environment, action: { commands: ['ls'] } }]))
    expect((await scene.post(responses, { model: 'gpt-4o', input: 'hi' })).status).toBe(200)
    const tools = [{ type: 'shell', environment }]
    expect((await scene.post(responses, { model: 'gpt-4o', input: 'hi', tools })).status).not.toBe(404)
  })
})
