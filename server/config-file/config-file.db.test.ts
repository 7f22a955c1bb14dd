import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { chatAnswer, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { readFile } from './file.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
  await fill(root)
})
afterAll(() => app.stop())

async function fill(client: TestClient, base_url = 'https://one.example') {
  const models = 'gpt-4o,gpt-4o-mini'
  const mapping = '{ "gpt-4o": "gpt-4o-2024-08-06" }'
  await client.call(api.channels.create, {
    name: 'main',
    key: 'planted-main-key',
    models,
    base_url,
    priority: 5,
    model_mapping: mapping,
    tags: 'prod',
    headers: '{"x-team-token":"planted-header"}',
    proxy: 'http://me:planted-proxy@proxy.example:3128',
  })
  const spare = { name: 'spare', key: 'planted-spare-key', models: 'gpt-4o', weight: 3, model_mapping: ' ' }
  await client.call(api.channels.create, spare)
  await client.call(api.options.update, { key: 'RetryTimes', value: '7' })
  await client.call(api.options.update, { key: 'SystemName', value: 'Our Yard' })
  await client.call(api.options.update, { key: 'SMTPToken', value: 'planted-smtp' })
  await client.call(api.options.update, { key: 'GroupRatio', value: '{"default": 1, "vip": 0.8}' })
  await client.call(api.options.update, { key: 'ModelRatio', value: '{"gpt-4o": 3}' })
  await client.call(api.options.update, { key: 'ModelFallbacks', value: '{"gpt-4o": ["gpt-4o-mini"]}' })
}

const exported = async (client = root) => (await client.call(api.config.export, {})).file
const plan = (file: string, env: Record<string, string> = {}, client = root) =>
  client.call(api.config.plan, { file, env })
const apply = (file: string, env: Record<string, string> = {}, client = root) =>
  client.call(api.config.apply, { file, env })
const refusal = async (file: string, env: Record<string, string> = {}) => {
  const answer = await root.raw(api.config.apply, { file, env })
  expect(answer.success).toBeFalse()
  return answer.message
}

describe('the file', () => {
  test('holds everything but secrets, and changes nothing where it came from', async () => {
    const file = await exported()
    expect(file).not.toContain('planted')
    for (const text of ['name: main', 'key: (kept)', 'RetryTimes: 7', 'SMTPToken: (kept)', 'vip: 0.8', 'gpt-4o: 3']) {
      expect(file).toContain(text)
    }
    expect(await plan(file)).toEqual({ changes: [] })
    const { total } = await root.call(api.history.list, {})
    expect(await apply(file)).toEqual({ changes: [] })
    expect((await root.call(api.history.list, {})).total).toBe(total)
  })

  test('one edit is one change, shown without secrets, one entry, and undone at once', async () => {
    const before = await exported()
    const file = before.replace('RetryTimes: 7', 'RetryTimes: 4').replace('priority: 5', 'priority: 9')
    const env = { MAIN_KEY: 'planted-new-key' }
    const keyed = file.replace('key: (kept)', 'key: ${MAIN_KEY}')
    const { changes } = await plan(keyed, env)
    expect(changes).toEqual([
      { kind: 'option', name: 'RetryTimes', before: { value: '7' }, after: { value: '4' } },
      {
        kind: 'channel',
        name: 'main',
        before: { priority: 5, key: 'changed' },
        after: { priority: 9, key: 'changed' },
      },
    ])
    expect(app.ctx.options().RetryTimes).toBe(7)
    await apply(keyed, env)
    expect(app.ctx.options().RetryTimes).toBe(4)
    expect(await apply(keyed, env)).toEqual({ changes: [] })
    const [entry] = (await root.call(api.history.list, { pagesize: 1 })).list
    expect(entry).toMatchObject({ kind: 'config', count: 2, actor: 'root', undoable: true })
    expect(JSON.stringify(entry)).not.toContain('planted')
    await root.call(api.history.undo, { id: entry?.id ?? 0 })
    expect(await exported()).toBe(before)
    const row = await app.ctx.database.db
      .selectFrom('channels')
      .selectAll()
      .where('name', '=', 'main')
      .executeTakeFirstOrThrow()
    expect(app.ctx.secrets.open(row.key_sealed)).toBe('planted-main-key')
  })

  test('a section that is there is the whole truth, one that is not stays', async () => {
    const before = await exported()
    const { changes } = await apply('channels:\n  - {name: spare, models: [gpt-4o], key: (kept)}\n')
    expect(changes.map(({ name, after }) => [name, after === null])).toEqual([
      ['spare', false],
      ['main', true],
    ])
    expect(app.ctx.options().RetryTimes).toBe(7)
    const [entry] = (await root.call(api.history.list, { pagesize: 1 })).list
    await root.call(api.history.undo, { id: entry?.id ?? 0 })
    expect(await exported()).toBe(before)
    expect((await plan('options: {}\n')).changes.map(({ name }) => name).sort()).toEqual([
      'RetryTimes',
      'SMTPToken',
      'SystemName',
    ])
    expect((await plan('limits: {}\nfallbacks: {}\n')).changes.map(({ name }) => name)).toEqual(['ModelFallbacks'])
  })

  test.each([
    ['[', 'not valid YAML'],
    ['options: {RetryTimes: 1, RetryTimes: 2}', 'the key RetryTimes is given twice'],
    ['channel: []', 'there is no section channel'],
    ['channels:', 'an empty section is written'],
    ['options: {NoSuchOption: 1}', 'options.NoSuchOption'],
    ['options: {RetryTimes: many}', 'RetryTimes'],
    ['options: {SMTPToken: in-clear}', 'never in clear'],
    ['options: {OIDCEnabled: true}', 'needs OIDCIssuer'],
    ['channels: [{name: new, models: [a], key: (kept)}]', 'no key to keep'],
    ['channels: [{name: new, models: [a], key: "${KEY}", headers: (kept)}]', 'no header to keep'],
    ['channels: [{name: new, models: [a], key: "${KEY}", proxy: (kept)}]', 'no proxy to keep'],
    ['channels: [{name: new, models: [a], key: "${KEY}", headers: {x-a: "${NOT_SET}"}}]', 'NOT_SET is not set'],
    ['channels: [{name: new, models: [a], key: "${NOT_SET}"}]', 'NOT_SET is not set'],
    ['channels: [{name: new, models: [a], key: "${BLANK}"}]', 'channels.new.key: the key is empty'],
    ['channels: [{name: new, type: Custom channel, models: [a], key: "${KEY}"}]', 'channels.new.base_url: please fill'],
    ['options: {SMTPToken: "${LONG}"}', 'SMTPToken'],
    ['options: {Notice: "a\\0b"}', 'text must not contain the null character'],
    ['channels: [{name: new, models: [a], key: "${HOME}"}]', 'HOME is not set'],
    ['channels: [{name: main, models: [], key: (kept)}]', 'choose at least one model'],
    ['channels: [{name: main, models: [a], key: (kept), colour: red}]', 'channels.main.colour'],
    ['channels: [{name: main, type: Nobody, models: [a], key: (kept)}]', 'no type Nobody'],
    ['channels: [{name: a, models: [a], key: (kept)}, {name: a, models: [b], key: (kept)}]', 'two called a'],
    ['channels: [{models: [a], key: (kept)}]', 'needs a name'],
    ['channels: [{name: 7, models: [a], key: (kept)}]', 'a name is text'],
    ['channels: [{name: main, models: [{gpt-4o: a}], key: (kept)}]', 'channels.main.models: must be a list of names'],
    ['channels: [{name: main, models: [a, null], key: (kept)}]', 'channels.main.models: must be a list of names'],
    ['channels: [{name: main, models: [a], tags: [[a]], key: (kept)}]', 'channels.main.tags: must be a list of names'],
    ['channels: [{name: main, models: [a], model_mapping: [a], key: (kept)}]', 'channels.main.model_mapping: must be'],
    ['channels: [{name: main, models: [a], headers: [x-a], key: (kept)}]', 'channels.main.headers: must be'],
    ['options: {}\n---\noptions: {}', 'Source contains multiple documents, but one is allowed at line 2, column 1'],
    ['groups: {default: -1}', 'group ratio'],
  ])('%p is refused, says why and changes nothing', async (file, why) => {
    const before = await exported()
    expect(await refusal(`${file}\n`, { KEY: 'k', BLANK: ' ', LONG: 'x'.repeat(100_000) })).toContain(why)
    expect(await exported()).toBe(before)
  })

  test.each([
    ['lists in lists', `channels: ${'['.repeat(200_000)}`],
    ['lists in a line', `channels:\n${'- '.repeat(200_000)}a`],
    ['objects in objects', `options: ${'{a: '.repeat(100_000)}`],
  ])('%s beyond number are refused', async (_, file) => {
    expect(await refusal(file, {})).toContain('more than 200 levels')
  })

  test('brackets in texts and comments are no levels', async () => {
    expect((await plan(`# ${'['.repeat(300)}\noptions: {Notice: "${'{'.repeat(300)}"}\n`)).changes).not.toBeEmpty()
  })

  test('a megabyte of short lines is read', async () => {
    expect((await plan(`${'#\n'.repeat(520_000)}limits: {}\n`)).changes).toEqual([])
  })

  test('as many prices as a public list has are read', () => {
    const prices = Array.from({ length: 20_000 }, (_, at) => `  model-${at}: {}`)
    expect(Object.keys(readFile(`prices:\n${prices.join('\n')}\n`).prices ?? {})).toHaveLength(20_000)
  }, 60_000)

  test.each([
    ['another host', ['base_url: https://one.example', 'base_url: https://evil.example']],
    ['another port', ['base_url: https://one.example', 'base_url: https://one.example:8443']],
    ['the address of its type', ['    base_url: https://one.example\n', '']],
    ['another type', ['type: OpenAI', 'type: Anthropic Claude']],
    ['another proxy', ['proxy: (kept)', 'proxy: http://evil.example:3128']],
  ] as const)('a kept key does not follow its channel to %s, a key given again does', async (_, [from, to]) => {
    const before = await exported()
    const file = before.replace(from, to)
    expect(file).not.toBe(before)
    expect(await refusal(file)).toContain('channels.main.key: another address, type or proxy needs the key again')
    expect((await root.raw(api.config.plan, { file, env: {} })).success).toBeFalse()
    expect(await exported()).toBe(before)
    const keyed = file.replace('key: (kept)', 'key: ${MAIN_KEY}')
    expect((await plan(keyed, { MAIN_KEY: 'planted-main-key' })).changes).toHaveLength(1)
  })

  test('a header takes its secret from a variable', async () => {
    const before = await exported()
    const file = before.replace('headers: (kept)', 'headers: {x-team-token: "Team ${TEAM_TOKEN}"}')
    expect(await apply(file, { TEAM_TOKEN: 'planted-team' })).toMatchObject({
      changes: [{ name: 'main', before: { headers: 'changed' }, after: { headers: 'changed' } }],
    })
    expect((await apply(file, { TEAM_TOKEN: 'planted-team' })).changes).toEqual([])
    const { list } = await root.call(api.channels.search, { keyword: 'main' })
    expect(list[0]?.headers).toBe('{"x-team-token":"Team planted-team"}')
    expect(await exported()).toBe(before)
  })

  test('of several headers one can be kept by its name', async () => {
    const before = await exported()
    const headers = async (): Promise<Record<string, string>> =>
      JSON.parse((await root.call(api.channels.search, { keyword: 'main' })).list[0]?.headers ?? '')
    const then = await headers()
    const file = before.replace('headers: (kept)', 'headers: {x-team-token: (kept), x-more: more}')
    await apply(file)
    expect(await headers()).toEqual({ ...then, 'x-more': 'more' })
    expect(Object.keys(then)).toEqual(['x-team-token'])
    expect(await refusal(before.replace('headers: (kept)', 'headers: {x-other: (kept)}'))).toContain(
      'channels.main.headers.x-other: there is no header to keep',
    )
    const [entry] = (await root.call(api.history.list, { pagesize: 1 })).list
    await root.call(api.history.undo, { id: entry?.id ?? 0 })
    expect(await exported()).toBe(before)
  })

  test.each(['a ${NAME} in it', '(kept)'])(
    'a header that is %p already changes nothing where it came from',
    async (value) => {
      const id = (await root.call(api.channels.search, { keyword: 'spare' })).list[0]?.id ?? 0
      await root.call(api.channels.update, { id, headers: JSON.stringify({ 'x-note': value }) })
      expect((await plan(await exported())).changes).toEqual([])
      await root.call(api.channels.update, { id, headers: '' })
    },
  )

  test('several keys need a pool, as in the form', async () => {
    const before = await exported()
    const keys = { A: 'planted-a', B: 'planted-b' }
    const two = before.replace('key: (kept)', 'key: "${A}\\n${B}"')
    expect(await refusal(two, keys)).toContain('channels.main.key: several keys need pool: true')
    const pooled = two.replace('key: "', 'pool: true\n    key: "')
    await apply(pooled, keys)
    const unpooled = (await exported()).replace('    pool: true\n', '')
    expect(await refusal(unpooled)).toContain('channels.main.key: several keys need pool: true')
    const [entry] = (await root.call(api.history.list, { pagesize: 1 })).list
    await root.call(api.history.undo, { id: entry?.id ?? 0 })
    expect(await exported()).toBe(before)
  })

  test('a kept key stays where only the path is another', async () => {
    const before = await exported()
    const file = before.replace('base_url: https://one.example', 'base_url: https://one.example/v1')
    expect((await plan(file)).changes).toHaveLength(1)
  })

  test("is the super administrator's", async () => {
    const admin = await signIn(app, { role: 'admin' })
    for (const call of [api.config.plan, api.config.apply]) {
      expect((await admin.raw(call, { file: 'options: {}' })).status).toBe(403)
    }
    expect((await admin.raw(api.config.export, {})).status).toBe(403)
  })
})

test('applied to an empty installation it routes and charges alike', async () => {
  const upstream = startFakeUpstream(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 20 }))
  const source = await borrowApp()
  const target = await borrowApp()
  const [from, to] = [await source.root(), await target.root()]
  await setOptions(source, { ModelRatio: '{"gpt-4o": 3}', CompletionRatio: '{"gpt-4o": 2}' })
  await from.call(api.channels.create, {
    name: 'first',
    key: 'k1',
    models: 'gpt-4o',
    base_url: upstream.url,
    priority: 9,
  })
  await from.call(api.channels.create, { name: 'second', key: 'k2', models: 'gpt-4o', base_url: upstream.url })
  let at = 0
  const file = (await exported(from)).replaceAll('key: (kept)', () => `key: \${KEY_${++at}}`)
  await apply(file, { KEY_1: 'k1', KEY_2: 'k2' }, to)
  expect((await exported(to)).replaceAll('(kept)', '')).toBe((await exported(from)).replaceAll('(kept)', ''))
  const spent: number[] = []
  for (const installation of [source, target]) {
    const person = await signIn(installation, { quota: 1_000_000 })
    const { key } = await person.call(api.tokens.create, { name: 'x', unlimited_quota: true })
    const answer = await fetch(`${installation.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    expect(answer.status).toBe(200)
    spent.push((await person.call(api.account.self, {})).used_quota)
    const [row] = (await (installation === source ? from : to).call(api.logs.list, { type: 2 })).list
    expect(row?.channel).toBe(1)
  }
  expect(spent[0]).toBeGreaterThan(0)
  expect(spent[1]).toBe(spent[0] ?? 0)
  await source.stop()
  await target.stop()
  await upstream.stop()
})
