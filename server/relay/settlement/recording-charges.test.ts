import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { eventStream } from '#server/testing/fake-upstream.ts'
import { recording } from '#server/testing/operation-charges.ts'
import { wav } from '#server/testing/recordings.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

/** Ten seconds of sound at $0.0001 each. */
const tenSeconds = 500

const transcribe = async (model: string, fields: Record<string, string> = {}) => {
  const answer = await scene.post('/v1/audio/transcriptions', recording({ model, ...fields }, wav(10)))
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
}

const saying =
  (text: string, type = 'application/json') =>
  () =>
    new Response(text, { headers: { 'content-type': type } })

describe('a recording whose vendor reports a length that cannot be', () => {
  test.each([
    ['more than a day', '{"text":"a","usage":{"type":"duration","seconds":99999999999}}'],
    ['beyond any number', '{"text":"a","usage":{"type":"duration","seconds":1e999}}'],
    ['beyond any number, as text', '{"text":"a","duration":"Infinity"}'],
    ['more than a day in its details', '{"text":"a","duration":1e12}'],
  ])('%s, costs its own length, and there is a warning', async (_, answer) => {
    await scene.channel(saying(answer), { models: 'whisper-1' })
    const warn = spyOn(scene.app.ctx.log, 'warn')
    const bill = await scene.bill(() => transcribe('whisper-1'))
    expectCharge(bill, tenSeconds)
    expect(warn).toHaveBeenCalledWith(
      'an upstream reported usage that cannot be true',
      expect.objectContaining({ request: bill.rows[0]?.request_id }),
    )
    warn.mockRestore()
  })

  test.each(['-5', 'true', '[3]', '{}', 'null', '"x"', '0'])('%s, costs its own length', async (seconds) => {
    const answer = `{"text":"a","usage":{"type":"duration","seconds":${seconds}}}`
    await scene.channel(saying(answer), { models: 'whisper-1' })
    expectCharge(await scene.bill(() => transcribe('whisper-1')), tenSeconds)
  })
})

describe('what was said in a recording', () => {
  test.each([
    ['text', 'whisper-1', 'hello\ndata: {"usage":{"seconds":0.001}}\n'],
    ['srt', 'whisper-1', '1\n00:00:00,000 --> 00:00:01,000\ndata: {"duration":1,"usage":{"seconds":0.001}}\n'],
    ['vtt', 'whisper-1', 'WEBVTT\n\n"usage":{"seconds":0.001}\n'],
    ['text', 'gpt-4o-transcribe', 'hello\n"usage":{"input_tokens":1,"output_tokens":1}\n'],
  ])('is no report of its length, written down as %s by %s', async (response_format, model, words) => {
    await scene.channel(saying(words, 'text/plain'), { models: model })
    expectCharge(await scene.bill(() => transcribe(model, { response_format })), tenSeconds)
  })

  test('is reported by the events it comes as', async () => {
    const done = { type: 'transcript.text.done', text: 'a', usage: { input_tokens: 100, output_tokens: 10 } }
    await scene.channel(eventStream(`data: ${JSON.stringify(done)}\n\n`), { models: 'gpt-4o-transcribe' })
    const bill = await scene.bill(() => transcribe('gpt-4o-transcribe', { stream: 'true', response_format: 'text' }))
    // 100 × 1.25 + 10 × 5
    expectCharge(bill, 175, { prompt_tokens: 100, completion_tokens: 10 })
  })

  test('is reported in JSON too, whatever its vendor calls it', async () => {
    const answer = '{"text":"a","usage":{"type":"duration","seconds":7}}'
    await scene.channel(saying(answer, 'text/plain'), { models: 'whisper-1' })
    expectCharge(await scene.bill(() => transcribe('whisper-1')), 350)
  })
})
