import { accountApi } from '#shared/api/account.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { type ApiClient, logIn } from './api-client.ts'
import { makeChannel, makeToken, makeUser, uniqueName } from './make.ts'
import { type ProviderDouble, startProvider } from './provider-double.ts'

/** A user with a top-up behind him: $10 unless given. */
export async function makeSpender(root: ApiClient, url: string, quota = 5_000_000): Promise<ApiClient> {
  const { username, password } = await makeUser(root)
  const client = await logIn(url, username, password)
  const [key = ''] = await root.call(redemptionsApi.create, { name: 'credit', quota, count: 1 })
  await client.call(accountApi.topUp, { key })
  return client
}

/** One relayed chat of this user with a new token; returns the token's name. The model needs a channel. */
export async function chat(
  client: ApiClient,
  url: string,
  model: string,
  tokenName = uniqueName('token'),
): Promise<string> {
  const { name } = await makeToken(client, { name: tokenName, unlimited_quota: true })
  const { list } = await client.call(tokensApi.search, { keyword: name })
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${list[0]?.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  if (!response.ok) throw new Error(`the relay answered ${response.status}: ${await response.text()}`)
  await response.text()
  return name
}

export interface Upstream {
  /** The channel's name. */
  readonly name: string
  readonly provider: ProviderDouble
  /** Takes the channel away again: nobody else's requests go there. */
  stop(): Promise<void>
}

/** A channel before all others for these models, with a provider that answers. */
export async function startUpstream(root: ApiClient, models: readonly string[]): Promise<Upstream> {
  const provider = await startProvider()
  const { name } = await makeChannel(root, {
    type: 8,
    base_url: provider.url,
    models: models.join(','),
    priority: 1000,
  })
  return {
    name,
    provider,
    async stop() {
      for (const { id } of (await root.call(channelsApi.search, { keyword: name })).list)
        await root.call(channelsApi.remove, { id })
      await provider.stop()
    },
  }
}

/** A few relayed requests of two models, so that charts, tables and the log have something to show. */
export async function makeTraffic(root: ApiClient, url: string): Promise<void> {
  const models = ['gpt-4o', 'gpt-4.1-mini']
  const upstream = await startUpstream(root, models)
  const spender = await makeSpender(root, url)
  for (const model of models) await chat(spender, url, model)
  await upstream.stop()
}
