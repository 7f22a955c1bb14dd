import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { optionsApi } from '#shared/api/options.ts'
import { type ChannelType, channelTypes } from '#shared/channel-types.ts'
import { bool, type Option } from '#shared/option-kinds.ts'
import { options } from '#shared/options.ts'
import { buildRequest } from '#shared/request.ts'

/** The recipes of CONTRIBUTING.md, performed: a row is all it takes. */
const typeRows = channelTypes as ChannelType[]
const optionRows: Record<string, Option<unknown>> = options
const nextType = Math.max(...typeRows.map(({ id }) => id)) + 1

let app: TestApp
let admin: SignedIn

beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
})
afterAll(() => app.stop())

test('a channel type can be saved when its row exists, and not before', async () => {
  const draft = { name: 'new-vendor', key: 'k', models: 'm-1', type: nextType }
  expect((await admin.raw(channelsApi.create, draft)).message).toBe('unknown channel type')
  typeRows.push({
    id: nextType,
    label: 'New vendor',
    color: 'blue',
    baseUrl: 'https://api.example.com',
    keyHint: null,
    keyHelp: null,
    other: null,
    balanceUnit: null,
    models: ['m-1'],
  })
  try {
    await admin.call(channelsApi.create, draft)
    const { list } = await admin.call(channelsApi.list, {})
    const made = list.find(({ name }) => name === 'new-vendor')
    expect(made?.type).toBe(nextType)
    await admin.call(channelsApi.update, { id: made?.id ?? 0, type: nextType, weight: 3 })
  } finally {
    typeRows.pop()
  }
})

test('an option can be saved and is listed when its row exists, and not before', async () => {
  const { path, init } = buildRequest(optionsApi.update, { key: 'NewSwitchEnabled', value: 'true' })
  const save = async () => (await admin.fetch(path, init)).json()
  expect(await save()).toMatchObject({ success: false, message: 'Unknown option: NewSwitchEnabled' })
  optionRows.NewSwitchEnabled = bool(false, ['general', 'New switch', 'What it does.'])
  try {
    expect(await save()).toMatchObject({ success: true })
    expect(await admin.call(optionsApi.list, {})).toContainEqual({ key: 'NewSwitchEnabled', value: 'true' })
    expect(app.ctx.options()).toMatchObject({ NewSwitchEnabled: true })
  } finally {
    delete optionRows.NewSwitchEnabled
  }
})

test('a refusal carries its code and what its words are filled with', async () => {
  expect(await admin.raw(optionsApi.update, { key: 'RetryTimes', value: '101' })).toMatchObject({
    code: 'option.invalid',
    params: { key: 'RetryTimes', reason: 'number.between', min: 0, max: 100 },
  })
})
