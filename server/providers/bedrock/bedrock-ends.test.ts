import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { awsEvent } from '#server/testing/aws-event.ts'
import { expectFree } from '#server/testing/expect-charge.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 500_000_000, tokenQuota: 500_000_000 })
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const nova = 'amazon.nova-lite-v1:0'
const claude = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const converseStream = Buffer.concat(
  (
    [
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'hello' } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['messageStop', { stopReason: 'end_turn' }],
      ['metadata', { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } }],
    ] as const
  ).map(([type, payload]) => awsEvent(type, payload)),
)
const invokeStream = Buffer.concat(
  [
    {
      type: 'message_start',
      message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 10, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ].map((event) => awsEvent('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') })),
)

const farewell = awsEvent('chunk', { bytes: Buffer.from('{"type":"message_stop"}').toString('base64') })

let sent = 0
const cutOff = (whole: Buffer) => () =>
  new Response(whole.subarray(0, sent) as unknown as BodyInit, {
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
  })
const channel = (behaviour: () => Response, models: string) =>
  scene.channel(behaviour, { type: 32, key: 'AKID|secret|eu-west-1', models })

describe('a stream of Bedrock that ends after any of its bytes', () => {
  test('is never shown as whole before it is, by converse', async () => {
    await channel(cutOff(converseStream), nova)
    const messages = [{ role: 'user', content: 'hi' }]
    const lastEvent = converseStream.lastIndexOf('metadata') - 60
    for (sent = 0; sent <= converseStream.length; sent += 1) {
      const answer = await scene.post('/v1/chat/completions', { model: nova, stream: true, messages })
      const text = await answer.text()
      const isWhole = answer.status === 200 && text.includes('[DONE]') && !text.includes('"error"')
      if (sent === converseStream.length) expect(isWhole).toBe(true)
      else if (sent < lastEvent) expect([sent, isWhole]).toEqual([sent, false])
    }
  }, 60_000)

  test('is never shown as whole before it is, by invoke', async () => {
    await channel(cutOff(invokeStream), claude)
    const body = { model: claude, max_tokens: 20, stream: true, messages: [{ role: 'user', content: 'hi' }] }
    for (sent = 0; sent <= invokeStream.length; sent += 1) {
      const answer = await scene.post('/v1/messages', body)
      const text = await answer.text()
      const isWhole = answer.status === 200 && text.includes('message_stop') && !text.includes('event: error')
      // With its reason to end and its usage only the farewell is missing.
      if (sent === invokeStream.length) expect(isWhole).toBe(true)
      else if (sent < invokeStream.length - farewell.length) expect([sent, isWhole]).toEqual([sent, false])
    }
  }, 60_000)
})

test('a clock that is off for the signature is said as the channel’s fault, costs nothing and stands on the row', async () => {
  const message = 'Signature expired: 20150830T123600Z is now earlier than 20150830T124000Z (20150830T124500Z - 5 min.)'
  const headers = { 'x-amzn-errortype': 'InvalidSignatureException:http://internal.amazon.com/' }
  await channel(() => Response.json({ message }, { status: 403, headers }), nova)
  const bill = await scene.bill(async () => {
    const answer = await scene.post('/v1/chat/completions', {
      model: nova,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('The clock of this server is off'),
    ])
  })
  expectFree(bill, { outcome: 'failed' })
  expect(bill.rows[0]?.content).toContain('Signature expired')
})

test('a key that AWS does not know is not shown to the client as his', async () => {
  const message = 'The security token included in the request is invalid.'
  await channel(() => Response.json({ message }, { status: 403 }), claude)
  const body = { model: claude, max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] }
  const answer = await scene.post('/v1/messages', body)
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('administrator')])
})
