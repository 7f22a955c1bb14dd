import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { historyApi } from '#shared/api/history.ts'
import { optionsApi } from '#shared/api/options.ts'
import { statusApi } from '#shared/api/status.ts'
import { options } from '#shared/options.ts'
import { logType } from '#shared/statuses.ts'

let app: TestApp
let root: SignedIn
let admin: SignedIn

beforeAll(async () => {
  app = await borrowApp()
  root = await signIn(app, { role: 'root' })
  admin = await signIn(app, { role: 'admin' })
})
afterAll(() => app.stop())

const values = async () =>
  Object.fromEntries((await admin.call(optionsApi.list, {})).map(({ key, value }) => [key, value]))

const lastNote = async () =>
  (
    await app.ctx.database.db
      .selectFrom('logs')
      .selectAll()
      .where('type', '=', logType.admin)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).content

test('the list holds every option but the secret ones, sorted, with defaults as text', async () => {
  const list = await admin.call(optionsApi.list, {})
  const expected = Object.entries(options).filter(([, option]) => !option.secret)
  expect(list.map(({ key }) => key)).toEqual(expected.map(([key]) => key).sort())
  expect(await values()).toMatchObject({
    PasswordLoginEnabled: 'true',
    ModelRatio: '{}',
    QuotaPerUnit: '500000',
    SMTPPort: '587',
    SystemName: 'Switchyard',
  })
})

test('a new value is in effect when the call returns', async () => {
  for (const name of ['One', 'Two', 'Three']) {
    await admin.call(optionsApi.update, { key: 'SystemName', value: name })
    expect((await app.client().call(statusApi.status, {})).system_name).toBe(name)
  }
  expect(await lastNote()).toBe('changed the option SystemName from "Two" to "Three"')
})

test('values are stored in their normal form', async () => {
  await root.call(optionsApi.update, { key: 'ServerAddress', value: ' https://relay.example/// ' })
  await admin.call(optionsApi.update, { key: 'EmailDomainWhitelist', value: 'A.com, b.com,,a.com' })
  await admin.call(optionsApi.update, { key: 'CompletionRatio', value: '' })
  await root.call(optionsApi.update, { key: 'SMTPServer', value: ' smtp.example.com\n' })
  await admin.call(optionsApi.update, { key: 'ModelRatio', value: '{\n  "gpt-4o": 1.25\n}' })
  expect(await values()).toMatchObject({
    ServerAddress: 'https://relay.example',
    EmailDomainWhitelist: 'a.com,b.com',
    CompletionRatio: '{}',
    SMTPServer: 'smtp.example.com',
    ModelRatio: '{\n  "gpt-4o": 1.25\n}',
  })
  expect(app.ctx.options().ModelRatio).toEqual({ 'gpt-4o': 1.25 })
})

test('a secret is sealed, in use, and appears nowhere', async () => {
  await root.call(optionsApi.update, { key: 'SMTPToken', value: 'hush-hush' })
  expect(app.ctx.options().SMTPToken).toBe('hush-hush')
  const stored = await app.ctx.database.db.selectFrom('options').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('hush-hush')
  expect(JSON.stringify(await root.raw(optionsApi.list, {}))).not.toContain('hush-hush')
  expect(await lastNote()).toBe('changed the option SMTPToken')
})

test('a switch cannot be turned on before what it needs is filled in', async () => {
  const turnOn = () => root.raw(optionsApi.update, { key: 'GitHubOAuthEnabled', value: 'true' })
  expect((await turnOn()).message).toBe('Fill in GitHubClientId and GitHubClientSecret first')
  await root.call(optionsApi.update, { key: 'GitHubClientId', value: 'id' })
  expect((await turnOn()).message).toBe('Fill in GitHubClientSecret first')
  await root.call(optionsApi.update, { key: 'GitHubClientSecret', value: 'secret' })
  expect(await turnOn()).toMatchObject({ success: true })
  expect((await app.client().call(statusApi.status, {})).github_oauth).toBe(true)
})

test.each([
  ['GitHubOAuthEnabled', ['GitHubClientId', 'GitHubClientSecret']],
  ['TurnstileCheckEnabled', ['TurnstileSiteKey', 'TurnstileSecretKey']],
  ['EmailVerificationEnabled', ['SMTPServer']],
  ['EmailDomainRestrictionEnabled', ['EmailDomainWhitelist']],
] as const)('what %s needs cannot be cleared while it is on', async (key, needed) => {
  for (const each of needed) await root.call(optionsApi.update, { key: each, value: 'a.com' })
  await root.call(optionsApi.update, { key, value: 'true' })
  for (const each of needed) {
    const refused = await root.raw(optionsApi.update, { key: each, value: ' ' })
    expect(refused).toMatchObject({
      status: 200,
      success: false,
      message: `Turn off ${key} first: it does not work without ${each}`,
    })
  }
  await root.call(optionsApi.update, { key, value: 'false' })
  for (const each of needed) await root.call(optionsApi.update, { key: each, value: '' })
})

test('nor does undoing take it away', async () => {
  const set = (key: string, value: string) => root.call(optionsApi.update, { key, value })
  await set('WeChatServerAddress', 'https://wechat.example')
  const [filled] = (await root.call(historyApi.list, { page: 1, pagesize: 1 })).list
  await set('WeChatAuthEnabled', 'true')
  const undo = () => root.raw(historyApi.undo, { id: filled?.id ?? 0 })
  expect((await undo()).message).toBe('Turn off WeChatAuthEnabled first: it does not work without WeChatServerAddress')
  expect(app.ctx.options().WeChatServerAddress).toBe('https://wechat.example')
  await set('WeChatAuthEnabled', 'false')
  const [off] = (await root.call(historyApi.list, { page: 1, pagesize: 1 })).list
  expect((await undo()).success).toBe(true)
  expect((await root.raw(historyApi.undo, { id: off?.id ?? 0 })).message).toBe('Fill in WeChatServerAddress first')
})

test('saving the same value again leaves no trace', async () => {
  await admin.call(optionsApi.update, { key: 'Notice', value: 'hello' })
  await admin.call(optionsApi.update, { key: 'Notice', value: 'hello' })
  const { count } = await app.ctx.database.db
    .selectFrom('logs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('content', 'like', '%option Notice%')
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

describe('refused, with nothing changed', () => {
  test.each([
    ['ModelRatio', '{', 'model ratio is not a valid JSON string'],
    ['GroupRatio', '[]', 'group ratio is not a valid JSON string'],
    ['CompletionRatio', 'null', 'completion ratio is not a valid JSON string'],
    ['ModelRatio', '{"a":-1}', 'model ratio: the value of "a" must be a number from 0 to 1000000000'],
    ['RetryTimes', '1.5', 'RetryTimes must be a whole number'],
    ['RetryTimes', '-1', 'RetryTimes must be a number that is not negative'],
    ['QuotaForNewUser', '99999999999999999999', 'QuotaForNewUser must be between 0 and 9007199254740991'],
    ['RegisterEnabled', 'yes', "RegisterEnabled must be 'true' or 'false'"],
    ['Logo', 'x'.repeat(2001), 'Logo must be at most 2000 characters'],
    ['Theme', 'berry', 'Theme must be default, light or dark'],
    ['NoSuchThing', '1', 'Unknown option: NoSuchThing'],
    ['__proto__', '1', 'Unknown option: __proto__'],
  ])('%s = %s', async (key, value, message) => {
    const before = await values()
    expect(await admin.raw(optionsApi.update, { key, value })).toMatchObject({ status: 200, success: false, message })
    expect(await values()).toEqual(before)
  })

  test('a value that is no text', async () => {
    const answer = await admin.fetch('/api/option/', {
      method: 'PUT',
      body: JSON.stringify({ key: 'RetryTimes', value: 3 }),
    })
    expect(await answer.json()).toMatchObject({ success: false })
  })

  test.each(['ServerAddress', 'ChatLink', 'TopUpLink'] as const)('%s without a host', async (key) => {
    const before = await values()
    const refused = await root.raw(optionsApi.update, { key, value: 'https://' })
    expect(refused).toMatchObject({ success: false, message: `${key} must begin with http:// or https://` })
    expect(await values()).toEqual(before)
  })

  test.each([
    'ServerAddress',
    'PasswordLoginEnabled',
    'TopUpLink',
    'SMTPToken',
    'TurnstileSecretKey',
    'GitHubClientId',
  ])('an administrator who sets %s', async (key) => {
    const answer = await admin.raw(optionsApi.update, { key, value: 'false' })
    expect(answer).toMatchObject({ status: 403, message: `Only the super administrator may change ${key}` })
  })

  test('an ordinary user and a visitor', async () => {
    const user = await signIn(app)
    expect((await user.raw(optionsApi.list, {})).status).toBe(403)
    expect((await user.raw(optionsApi.update, { key: 'Notice', value: 'x' })).status).toBe(403)
    expect((await app.client().raw(optionsApi.list, {})).status).toBe(401)
  })
})
