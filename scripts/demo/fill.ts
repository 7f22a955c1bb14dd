import { accountApi } from '#shared/api/account.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { optionsApi } from '#shared/api/options.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { usersApi } from '#shared/api/users.ts'
import { type ApiClient, logIn } from '../../e2e/support/api-client.ts'
import { channels, expiryIn, owner, ownTokens, people, requests } from './data.ts'
import type { DemoUpstream } from './upstream.ts'

const password = 'demo-password'

async function addChannels(root: ApiClient, upstream: DemoUpstream): Promise<void> {
  for (const { delay, ...channel } of channels) {
    const { off: _, ...draft } = { off: false, ...channel }
    await root.call(channelsApi.create, { ...draft, key: `sk-demo-${draft.name}`, base_url: upstream.address(delay) })
  }
  const { list } = await root.call(channelsApi.list, { page: 1, pagesize: 100 })
  await Promise.all(list.map(({ id }) => root.call(channelsApi.test, { id }).catch(() => undefined)))
  for (const { id, name } of list) {
    if (channels.some((channel) => channel.name === name && 'off' in channel))
      await root.call(channelsApi.update, { id, status: 2 })
  }
}

async function addPeople(root: ApiClient): Promise<void> {
  await root.call(accountApi.update, { username: owner.username, display_name: owner.display_name })
  for (const { username, display_name } of people)
    await root.call(usersApi.create, { username, display_name, password })
  const { list } = await root.call(usersApi.list, { page: 1, pagesize: 100 })
  const wanted = [owner, ...people]
  for (const { id, username } of list) {
    const person = wanted.find((one) => one.username === username)
    if (person)
      await root.call(usersApi.update, {
        id,
        quota: person.quota,
        ...('group' in person ? { group: person.group } : {}),
      })
  }
}

async function addOwnTokens(root: ApiClient): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  for (const token of ownTokens) {
    const { name, remain_quota, days } = token
    const unlimited_quota = 'unlimited' in token
    await root.call(tokensApi.create, { name, remain_quota, unlimited_quota, expired_time: expiryIn(days, now) })
  }
  const { list } = await root.call(tokensApi.list, { page: 1, pagesize: 100 })
  const off = list.find(({ name }) => ownTokens.some((token) => token.name === name && 'disabled' in token))
  if (off) await root.call(tokensApi.update, { id: off.id, status: 2, status_only: true })
}

async function tokenKey(client: ApiClient, name: string): Promise<string> {
  const find = async () =>
    (await client.call(tokensApi.list, { page: 1, pagesize: 100 })).list.find((token) => token.name === name)?.key
  const found = await find()
  if (found) return found
  await client.call(tokensApi.create, { name, remain_quota: 20_000_000 })
  return (await find()) ?? ''
}

async function ask(url: string, key: string, model: string, usage: string): Promise<void> {
  const embedding = model.startsWith('text-embedding')
  const body = embedding ? { model, input: usage } : { model, messages: [{ role: 'user', content: usage }] }
  const response = await fetch(`${url}/v1/${embedding ? 'embeddings' : 'chat/completions'}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${model}: ${response.status} ${await response.text()}`)
  await response.text()
}

async function addTraffic(url: string, root: ApiClient): Promise<void> {
  const clients = new Map<string, ApiClient>([[owner.username, root]])
  for (const { by, token, model, usage } of requests) {
    const client = clients.get(by) ?? (await logIn(url, by, password))
    clients.set(by, client)
    await ask(url, await tokenKey(client, token), model, usage)
  }
}

async function addCodes(root: ApiClient): Promise<void> {
  const codes = await root.call(redemptionsApi.create, { name: 'autumn-credit', quota: 5_000_000, count: 3 })
  await root.call(redemptionsApi.create, { name: 'workshop', quota: 1_000_000, count: 5 })
  const [first] = codes
  if (first) await root.call(accountApi.topUp, { key: first })
}

/** Fills a fresh server through its API; answers as its owner. */
export async function fillDemo(url: string, root: ApiClient, upstream: DemoUpstream): Promise<void> {
  await root.call(optionsApi.update, {
    key: 'GroupRatio',
    value: '{"default":1,"vip":1,"svip":0.9,"pro":1,"premium":1.2,"internal":0.5}',
  })
  await root.call(optionsApi.update, { key: 'ChatLink', value: 'https://chat.switchyard.example' })
  await root.call(optionsApi.update, { key: 'ServerAddress', value: 'https://relay.example.com' })
  await root.call(optionsApi.update, { key: 'RetryTimes', value: '3' })
  await addChannels(root, upstream)
  await addPeople(root)
  await addOwnTokens(root)
  await addTraffic(url, root)
  await addCodes(root)
}
