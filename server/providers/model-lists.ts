import { faultOfKind, faultOfStatus } from '#server/dialects/fault.ts'
import { arrayOf, type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { boundedText } from '#server/lib/network/bounded-text.ts'
import { bearer, endpoint, splitBase } from './endpoint.ts'
import { versioned } from './gemini/address.ts'
import { type Target, type Tools, UpstreamFault } from './provider.ts'

/** How a provider's own list of models is fetched. */
export type ModelList = (target: Pick<Target, 'key' | 'baseUrl' | 'other' | 'type'>, tools: Tools) => Promise<string[]>

const bytesMax = 8 * 1024 * 1024
const pagesMax = 20

async function readPage(url: string, headers: Record<string, string>, tools: Tools): Promise<JsonObject> {
  const response = await tools.fetch(url, { headers, signal: tools.signal, redirect: 'manual' })
  if (!response.ok) {
    await response.body?.cancel()
    throw new UpstreamFault(faultOfStatus(response.status, refused(response.status)))
  }
  const text = await boundedText(response, bytesMax)
  const page = text === null ? undefined : objectOf(parseJson(text))
  if (!page) throw new UpstreamFault(faultOfKind('unreadable', 'the provider did not answer with a list of models'))
  return page
}

const refused = (status: number): string =>
  status === 407 ? 'the provider could not be reached through the proxy' : `the provider answered with status ${status}`

const namesIn = (list: unknown, field: string): string[] =>
  arrayOf(list).flatMap((entry) => textOf(objectOf(entry)?.[field]) ?? [])

/** OpenAI's shape: `data[].id` under the version. */
export const openaiList =
  (version = '/v1', headers: (key: string) => Record<string, string> = bearer): ModelList =>
  async ({ baseUrl, key }, tools) =>
    namesIn((await readPage(endpoint(baseUrl, version, '/models'), headers(key), tools)).data, 'id')

export const azureList: ModelList = async ({ baseUrl, key, other }, tools) => {
  const isNew = other === '' || other === 'v1'
  const url = isNew ? '/openai/v1/models' : `/openai/models?${new URLSearchParams({ 'api-version': other })}`
  return namesIn((await readPage(`${baseUrl}${url}`, { 'api-key': key }, tools)).data, 'id')
}

/** Ollama's own calls stand beside the version of its OpenAI-shaped ones, which an address may bring. */
export const besideVersion = (baseUrl: string): string => splitBase(baseUrl, /\/v1$/).root

export const ollamaList: ModelList = async ({ baseUrl, key }, tools) => {
  const headers = key === '' ? {} : bearer(key)
  return namesIn((await readPage(`${besideVersion(baseUrl)}/api/tags`, headers, tools)).models, 'name')
}

/** Follows pages until one names no next. */
async function paged(
  page: (after: string) => Promise<{ names: string[]; next: string | undefined }>,
): Promise<string[]> {
  const found: string[] = []
  let after = ''
  for (let turn = 0; turn < pagesMax; turn++) {
    const { names, next } = await page(after)
    found.push(...names)
    if (!next || next === after) break
    after = next
  }
  return found
}

export const anthropicList: ModelList = ({ baseUrl, key }, tools) =>
  paged(async (after) => {
    const query = new URLSearchParams({ limit: '1000', ...(after ? { after_id: after } : {}) })
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    const page = await readPage(`${endpoint(baseUrl, '/v1', '/models')}?${query}`, headers, tools)
    return { names: namesIn(page.data, 'id'), next: page.has_more === true ? textOf(page.last_id) : undefined }
  })

export const geminiList: ModelList = ({ baseUrl, key, other }, tools) =>
  paged(async (after) => {
    const query = new URLSearchParams({ pageSize: '1000', ...(after ? { pageToken: after } : {}) })
    const page = await readPage(`${versioned({ baseUrl, other })}/models?${query}`, { 'x-goog-api-key': key }, tools)
    const names = namesIn(page.models, 'name').map((name) => name.replace(/^models\//, ''))
    return { names, next: textOf(page.nextPageToken) }
  })

const cloudflarePage = 100

/** Where Cloudflare has all of an account. */
export const accountOf = ({ baseUrl, other }: Pick<Target, 'baseUrl' | 'other'>): string =>
  `${splitBase(baseUrl, /\/client\/v4$/).root}/client/v4/accounts/${encodeURIComponent(other)}`

/** Workers AI, of the account in `other`. */
export const cloudflareList: ModelList = ({ baseUrl, key, other }, tools) =>
  paged(async (after) => {
    const page = Number(after || 1)
    const query = new URLSearchParams({ page: String(page), per_page: String(cloudflarePage) })
    const url = `${accountOf({ baseUrl, other })}/ai/models/search?${query}`
    const names = namesIn((await readPage(url, bearer(key), tools)).result, 'name')
    return { names, next: names.length < cloudflarePage ? undefined : String(page + 1) }
  })
