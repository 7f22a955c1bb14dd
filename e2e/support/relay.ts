import { accountApi } from '#shared/api/account.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { type ApiClient, logIn } from './api-client.ts'
import { makeToken, makeUser } from './make.ts'

/** A user with a top-up behind him: $10 unless told otherwise. */
export async function makeSpender(root: ApiClient, url: string, quota = 5_000_000): Promise<ApiClient> {
  const { username, password } = await makeUser(root)
  const client = await logIn(url, username, password)
  const [key = ''] = await root.call(redemptionsApi.create, { name: 'credit', quota, count: 1 })
  await client.call(accountApi.topUp, { key })
  return client
}

/** One relayed chat of this user with a new token; answers the token's name. The model needs a channel. */
export async function chat(client: ApiClient, url: string, model: string): Promise<string> {
  const { name } = await makeToken(client, { unlimited_quota: true })
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
