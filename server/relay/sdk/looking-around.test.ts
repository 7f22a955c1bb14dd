import { afterAll, beforeAll, expect, test } from 'bun:test'
import { NotFoundError as AnthropicNotFound } from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import { NotFoundError } from 'openai'
import { doubleUsage } from '#server/testing/doubles/script.ts'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { startVendorScene, type VendorScene } from '#server/testing/vendor-scene.ts'

let scene: VendorScene
let clients: SdkClients
beforeAll(async () => {
  scene = await startVendorScene()
  await scene.vendor('openai', 1, 'gpt-5-mini')
  await scene.vendor('anthropic', 14, 'claude-sonnet-5')
  await scene.vendor('gemini', 24, 'gemini-3-flash')
  clients = sdkClients(scene.app.url, scene.key)
})
afterAll(() => scene.stop())

/** The error itself: the clients' promises begin only when they are waited for. */
const thrown = (error: unknown) => error

const names = ['claude-sonnet-5', 'gemini-3-flash', 'gpt-5-mini']

test('the openai client lists models and looks at one', async () => {
  const listed = await Array.fromAsync(clients.openai.models.list())
  expect(listed.map((model) => model.id)).toEqual(names)
  expect(await clients.openai.models.retrieve('claude-sonnet-5')).toMatchObject({
    id: 'claude-sonnet-5',
    object: 'model',
  })
  expect(await clients.openai.models.retrieve('no-such-model').catch(thrown)).toBeInstanceOf(NotFoundError)
})

test('the anthropic client lists models and looks at one', async () => {
  const listed = await Array.fromAsync(clients.anthropic.models.list())
  expect(listed.map((model) => model.id)).toEqual(names)
  expect(await clients.anthropic.models.retrieve('gpt-5-mini')).toMatchObject({ id: 'gpt-5-mini', type: 'model' })
  expect(await clients.anthropic.models.retrieve('no-such-model').catch(thrown)).toBeInstanceOf(AnthropicNotFound)
})

test('the google client lists models and looks at one', async () => {
  const listed = await Array.fromAsync(await clients.google.models.list())
  expect(listed.map((model) => model.name)).toEqual(names.map((name) => `models/${name}`))
  expect(await clients.google.models.get({ model: 'gpt-5-mini' })).toMatchObject({ name: 'models/gpt-5-mini' })
  expect(await clients.google.models.get({ model: 'no-such-model' }).catch(thrown)).toBeInstanceOf(ApiError)
})

const question = 'How many tokens are these words?'

test('the anthropic client counts tokens free of charge', async () => {
  const bill = await scene.bill(async () => {
    const body = { model: 'claude-sonnet-5', messages: [{ role: 'user' as const, content: question }] }
    expect(await clients.anthropic.messages.countTokens(body)).toMatchObject({ input_tokens: doubleUsage.input })
  })
  expectUntouched(bill)
})

test('the google client counts tokens free of charge', async () => {
  const bill = await scene.bill(async () => {
    const { totalTokens } = await clients.google.models.countTokens({ model: 'gemini-3-flash', contents: question })
    expect(totalTokens).toBe(doubleUsage.input)
  })
  expectUntouched(bill)
})
