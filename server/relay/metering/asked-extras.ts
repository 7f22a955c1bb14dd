import type { Json } from '#server/dialects/dialect.ts'
import { arrayOf, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import type { SearchDepth, ServerTool, ServingTier, Surcharges } from '#server/providers/surcharges.ts'
import type { Ask, JsonBody } from '#server/relay/request/ask.ts'

/** What a request asks for beside tokens, and what its vendor therefore takes beside their price. */
export interface AskedExtras {
  readonly tier: ServingTier | null
  readonly insideUs: boolean
  /** Tools that run at the vendor, with the most calls the client allows; null when it sets no limit. */
  readonly tools: ReadonlyMap<ServerTool, number | null>
  /** Its vendor does not say how often such a tool ran: once is charged. */
  readonly callsAreUnseen: boolean
  readonly searchDepth: SearchDepth | null
  /** Names of what has no price anywhere. */
  readonly unpriced: readonly string[]
}

/** Nothing but tokens; also of a request that is translated, which loses what only its own dialect knows. */
export const noExtras: AskedExtras = {
  tier: null,
  insideUs: false,
  tools: new Map(),
  callsAreUnseen: false,
  searchDepth: null,
  unpriced: [],
}

type Reader = (body: JsonBody) => AskedExtras

/** What a tool is to the bill: one that is paid by the call, one that costs its tokens, or one nobody knows the price of. */
type ToolKind = ServerTool | 'tokens' | 'unpriced'

/** A tool that is given twice may be called by both. */
const together = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other

function sortTools(tools: unknown, kindOf: (tool: JsonBody) => ToolKind, most: (tool: JsonBody) => number | null) {
  const paid = new Map<ServerTool, number | null>()
  const unpriced: string[] = []
  for (const entry of arrayOf(tools)) {
    const tool = objectOf(entry) as JsonBody | undefined
    if (!tool) continue
    const kind = kindOf(tool)
    if (kind === 'unpriced') unpriced.push(`the tool ${textOf(tool.type) ?? Object.keys(tool)[0] ?? ''}`)
    else if (kind !== 'tokens') paid.set(kind, together(paid.has(kind) ? (paid.get(kind) ?? null) : 0, most(tool)))
  }
  return { tools: paid, unpriced }
}

const ordinaryTiers = new Set(['', 'auto', 'default', 'standard', 'standard_only', 'on_demand', 'scale', 'performance'])

function tierOf(value: Json | undefined): Pick<AskedExtras, 'tier' | 'unpriced'> {
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'flex') return { tier: 'flex', unpriced: [] }
  if (word === 'priority' || word === 'fast') return { tier: 'priority', unpriced: [] }
  return { tier: null, unpriced: ordinaryTiers.has(word) ? [] : [`service_tier ${word.slice(0, 40)}`] }
}

const depths: readonly string[] = ['low', 'medium', 'high']
const depthOf = (value: unknown): SearchDepth => {
  const word = textOf(objectOf(value)?.search_context_size) ?? ''
  return depths.includes(word) ? (word as SearchDepth) : 'medium'
}

const chatTool = ({ type }: JsonBody): ToolKind => {
  if (type === undefined || type === 'function' || type === 'custom') return 'tokens'
  return type === 'web_search' || type === 'browser_search' || type === 'builtin_function' ? 'webSearch' : 'unpriced'
}

/** Fields by which vendors of OpenAI's dialect are told to search the web, at prices of their own. */
function searchFields({ search_parameters, plugins, web_search }: JsonBody): string[] {
  const isOff = (value: unknown) => objectOf(value)?.mode === 'off' || objectOf(value)?.enable === false
  return [
    ...(search_parameters && !isOff(search_parameters) ? ['search_parameters'] : []),
    ...(arrayOf(plugins).length > 0 ? ['plugins'] : []),
    ...(objectOf(web_search) && !isOff(web_search) ? ['web_search'] : []),
  ]
}

const readChat: Reader = (body) => {
  const { tier, unpriced } = tierOf(body.service_tier)
  const sorted = sortTools(body.tools, chatTool, () => 1)
  return {
    ...noExtras,
    tier,
    tools: sorted.tools,
    callsAreUnseen: true,
    searchDepth: body.web_search_options ? depthOf(body.web_search_options) : null,
    unpriced: [...unpriced, ...sorted.unpriced, ...searchFields(body)],
  }
}

const responsesTool = ({ type, environment }: JsonBody): ToolKind => {
  const name = textOf(type) ?? ''
  if (name.startsWith('web_search')) return 'webSearch'
  if (name === 'file_search') return 'fileSearch'
  if (name === 'code_interpreter') return 'codeSession'
  const isHosted = name === 'shell' && (textOf(objectOf(environment)?.type) ?? 'container').startsWith('container')
  return isHosted || name === 'image_generation' ? 'unpriced' : 'tokens'
}

const readResponses: Reader = (body) => {
  const { tier, unpriced } = tierOf(body.service_tier)
  const most = numberOf(body.max_tool_calls) ?? null
  const sorted = sortTools(body.tools, responsesTool, () => most)
  return { ...noExtras, tier, tools: sorted.tools, unpriced: [...unpriced, ...sorted.unpriced] }
}

const anthropicTool = ({ type }: JsonBody): ToolKind => {
  const name = textOf(type) ?? 'custom'
  if (name.startsWith('web_search')) return 'webSearch'
  return name.startsWith('code_execution') ? 'unpriced' : 'tokens'
}

const readMessages: Reader = (body) => {
  const { unpriced } = tierOf(body.service_tier)
  const sorted = sortTools(body.tools, anthropicTool, (tool) => numberOf(tool.max_uses) ?? null)
  return {
    ...noExtras,
    tier: body.speed === 'fast' ? 'fast' : null,
    insideUs: body.inference_geo === 'us',
    tools: sorted.tools,
    unpriced: [...unpriced, ...sorted.unpriced],
  }
}

const geminiSearches = /^google_?search(_?retrieval)?$/i
const geminiUnpriced = /^(google_?maps|enterprise_?web_?search)$/i

const geminiTool = (tool: JsonBody): ToolKind => {
  const names = Object.keys(tool)
  if (names.some((name) => geminiUnpriced.test(name))) return 'unpriced'
  return names.some((name) => geminiSearches.test(name)) ? 'webSearch' : 'tokens'
}

const readGemini: Reader = (body) => {
  const { tier, unpriced } = tierOf(body.serviceTier ?? body.service_tier)
  const sorted = sortTools(body.tools, geminiTool, () => null)
  return { ...noExtras, tier, tools: sorted.tools, unpriced: [...unpriced, ...sorted.unpriced] }
}

const readers: Readonly<Record<string, Reader>> = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  'anthropic-messages': readMessages,
  gemini: readGemini,
}

/** Where any of it is said, in any dialect: most requests say nothing there. */
const extraFields = [
  ...(['tools', 'service_tier', 'serviceTier', 'speed', 'inference_geo'] as const),
  ...(['web_search_options', 'search_parameters', 'plugins', 'web_search'] as const),
]

function saysAny(body: JsonBody): boolean {
  for (const field of extraFields) if (body[field] !== undefined) return true
  return false
}

export function askedExtras({ payload, entrance }: Ask): AskedExtras {
  const { operation, dialect } = entrance.door
  if (payload.kind === 'form' || (operation !== 'chat' && operation !== 'completions')) return noExtras
  if (!saysAny(payload.body)) return noExtras
  const asked = readers[dialect.id]?.(payload.body) ?? noExtras
  const { tier, insideUs, tools, searchDepth, unpriced } = asked
  const isPlain = tier === null && !insideUs && tools.size === 0 && searchDepth === null && unpriced.length === 0
  return isPlain ? noExtras : asked
}

/** What of it a model has no price for; null when all of it can be billed. */
export function unpricedBy(surcharges: Surcharges, asked: AskedExtras): string | null {
  const [first] = asked.unpriced
  if (first !== undefined) return first
  if (asked.tier && asked.tier !== 'flex' && surcharges.tiers[asked.tier] === undefined)
    return asked.tier === 'fast' ? 'speed fast' : `service_tier ${asked.tier}`
  if (asked.searchDepth && !surcharges.perRequest) return 'web_search_options'
  for (const tool of asked.tools.keys()) if (surcharges.calls[tool] === undefined) return `the server tool ${tool}`
  return null
}
