import { faultOfKind, faultOfStatus } from '#server/dialects/fault.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { accountAddress, bearer } from './endpoint.ts'
import { type Provider, type Tools, UpstreamFault } from './provider.ts'

type Balance = NonNullable<Provider['balance']>

const day = 86_400_000

export async function readJson(url: string, headers: Record<string, string>, tools: Tools): Promise<JsonObject> {
  const response = await tools.fetch(url, { headers, signal: tools.signal, redirect: 'manual' })
  if (!response.ok) throw new UpstreamFault(faultOfStatus(response.status, `status code: ${response.status}`))
  return objectOf(await boundedJson(response)) ?? {}
}

export function amountOf(value: unknown, complaint = 'The provider did not say what is left.'): number {
  const amount = numberOf(value)
  if (amount === undefined) throw new UpstreamFault(faultOfKind('unreadable', complaint))
  return amount
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** OpenAI's old billing calls, which relays like this one still answer. */
export const dashboardBalance: Balance = async ({ baseUrl, key }, tools) => {
  const limits = await readJson(accountAddress(baseUrl, '/v1/dashboard/billing/subscription'), bearer(key), tools)
  const now = tools.now()
  const start = limits.has_payment_method === true ? `${dateOf(now).slice(0, 7)}-01` : dateOf(now - 100 * day)
  const query = new URLSearchParams({ start_date: start, end_date: dateOf(now) })
  const usage = await readJson(accountAddress(baseUrl, `/v1/dashboard/billing/usage?${query}`), bearer(key), tools)
  return amountOf(limits.hard_limit_usd) - amountOf(usage.total_usage) / 100
}

/** A grant overview under the base, of which one field counts. */
export const creditGrants =
  (field: 'total_available' | 'total_remaining'): Balance =>
  async ({ baseUrl, key }, tools) => {
    const grants = await readJson(accountAddress(baseUrl, '/dashboard/billing/credit_grants'), bearer(key), tools)
    return amountOf(grants[field])
  }

export const openaiSbBalance: Balance = async ({ baseUrl, key }, tools) => {
  const query = new URLSearchParams({ api_key: key })
  const status = await readJson(accountAddress(baseUrl, `/sb-api/user/status?${query}`), bearer(key), tools)
  return amountOf(objectOf(status.data)?.credit, textOf(status.msg))
}

/** Asked of the vendor's site, which is not where its API lives. A key for another address is sent to that alone. */
export const aiproxyBalance: Balance = async ({ baseUrl, key }, tools) => {
  const address = accountAddress(baseUrl, '/api/report/getUserOverview')
  const site = address.replace(/^https:\/\/api\.aiproxy\.io\//, 'https://aiproxy.io/')
  const overview = await readJson(site, { 'api-key': key }, tools)
  const complaint = `code: ${String(overview.error_code)}, message: ${String(overview.message)}`
  return amountOf(overview.success === false ? undefined : objectOf(overview.data)?.totalPoints, complaint)
}

export const openrouterBalance: Balance = async ({ baseUrl, key }, tools) => {
  const data = objectOf((await readJson(accountAddress(baseUrl, '/v1/credits'), bearer(key), tools)).data)
  return amountOf(data?.total_credits) - amountOf(data?.total_usage)
}

export const moonshotBalance: Balance = async ({ baseUrl, key }, tools) => {
  const answer = await readJson(accountAddress(baseUrl, '/v1/users/me/balance'), bearer(key), tools)
  return amountOf(objectOf(answer.data)?.available_balance)
}

/** An account keeps one sum a currency; the console shows those of this vendor in yuan. */
export const deepseekBalance: Balance = async ({ baseUrl, key }, tools) => {
  const answer = await readJson(accountAddress(baseUrl, '/user/balance'), bearer(key), tools)
  const sums = arrayOf(answer.balance_infos).map((sum) => objectOf(sum) ?? {})
  return amountOf(sums.find((sum) => sum.currency === 'CNY')?.total_balance, 'The account has no balance in CNY.')
}

export const siliconflowBalance: Balance = async ({ baseUrl, key }, tools) => {
  const answer = await readJson(accountAddress(baseUrl, '/v1/user/info'), bearer(key), tools)
  return amountOf(objectOf(answer.data)?.totalBalance, textOf(answer.message))
}
