import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { openSocket } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream } from '#server/testing/socket-upstream.ts'

let scene: RelayScene
let vendor: SocketUpstream
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
  vendor = startSocketUpstream((socket, frame) => {
    if (frame === null) return
    const usage = {
      total_tokens: 200,
      input_tokens: 100,
      output_tokens: 100,
      input_token_details: { text_tokens: 40, audio_tokens: 60 },
      output_token_details: { text_tokens: 30, audio_tokens: 70 },
    }
    socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', status: 'completed', usage } }))
  })
  const each = (ratio: number) => JSON.stringify({ 'gpt-4o': ratio, 'gpt-realtime': ratio })
  await scene.option('ModelRatio', each(1))
  await scene.option('CompletionRatio', each(4))
  await scene.option('AudioRatio', each(10))
  // Against sound in the prompt: 30 a token.
  await scene.option('AudioCompletionRatio', each(3))
})
afterAll(async () => {
  await vendor.stop()
  await scene.stop()
})

const charge = 40 + 60 * 10 + 30 * 4 + 70 * 30

test('sound in an answer costs its ratio against sound in the prompt, in a chat', async () => {
  await scene.channel(
    chatAnswer('hello', {
      prompt_tokens: 100,
      completion_tokens: 100,
      prompt_tokens_details: { audio_tokens: 60 },
      completion_tokens_details: { audio_tokens: 70 },
    }),
  )
  const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
  expect(bill.user).toBe(-charge)
})

test('and in a realtime session', async () => {
  await scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url })
  const bill = await scene.bill(async () => {
    const address = `${scene.app.url}/v1/realtime?model=gpt-realtime`
    const client = await openSocket(address, { headers: { authorization: `Bearer ${scene.key}` } })
    client.say({ type: 'response.create' })
    await client.frame('response.done')
    client.leave()
    await eventually(scene.books, ({ holds }) => holds === 0)
  })
  expect(bill.user).toBe(-charge)
})
