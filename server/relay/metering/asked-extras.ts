import type { Json } from '#server/dialects/dialect.ts'
import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import type { SearchDepth, ServerTool, ServingTier, Surcharges } from '#server/providers/surcharges.ts'
import type { Ask, JsonBody } from '#server/relay/request/ask.ts'
import { holdsFilm } from './attachments.ts'
import { toolsInItems, toolsInMessages } from './brought-tools.ts'

/** What a request asks for beside tokens, and what its vendor therefore takes beside their price. */
export interface AskedExtras {
  readonly tier: ServingTier | null
  readonly insideUs: boolean
  /** Tools that run at the vendor, with the most calls the client allows; null when it sets no limit. */
  readonly tools: ReadonlyMap<ServerTool, number | null>
  /** Some tool runs at the vendor, be it paid by the call or not: how much it reads only the vendor knows. */
  readonly hosted: boolean
  /** Its vendor does not say how often such a tool ran: once is charged. */
  readonly callsAreUnseen: boolean
  /** How much a search model is to read, or just that something is said of it. */
  readonly searchDepth: SearchDepth | 'usual' | null
  /** Names of what has no price anywhere. */
  readonly unpriced: readonly string[]
}

/** Nothing but tokens; also of a request that is translated, which loses what only its own dialect knows. */
export const noExtras: AskedExtras = {
  tier: null,
  insideUs: false,
  tools: new Map(),
  hosted: false,
  callsAreUnseen: false,
  searchDepth: null,
  unpriced: [],
}

/** `brought` are tools that stand in the conversation itself. */
type Reader = (body: JsonBody, brought: readonly unknown[]) => AskedExtras

/**
 * What a tool is to the bill: one that is paid by the call, one that costs its tokens and runs at the client or at the vendor, or one
 * nobody knows the price of.
 */
type ToolKind = ServerTool | 'tokens' | 'hosted' | 'unpriced'

/** A tool that is given twice may be called by both. */
const together = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other

/** Google takes a single thing for a list of one. */
const listOf = (value: unknown): readonly unknown[] => (objectOf(value) ? [value] : arrayOf(value))

/** Some vendors read names whatever their case: a tool whose type they may read otherwise is one nobody knows. */
const hidesType = (tool: JsonBody): boolean =>
  Object.keys(tool).some((name) => name !== 'type' && name.toLowerCase() === 'type')

/** How often the client lets a tool be called; null when it sets no limit that can be one. */
const callsOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null

function sortTools(tools: unknown, kindOf: (tool: JsonBody) => ToolKind, most: (tool: JsonBody) => number | null) {
  const paid = new Map<ServerTool, number | null>()
  const unpriced: string[] = []
  let hosted = false
  for (const entry of listOf(tools)) {
    const tool = objectOf(entry) as JsonBody | undefined
    if (!tool) continue
    const kind = hidesType(tool) ? 'unpriced' : kindOf(tool)
    if (kind === 'unpriced') unpriced.push(`the tool ${textOf(tool.type) ?? Object.keys(tool)[0] ?? ''}`)
    else if (kind === 'hosted') hosted = true
    else if (kind !== 'tokens') paid.set(kind, together(paid.has(kind) ? (paid.get(kind) ?? null) : 0, most(tool)))
  }
  return { tools: paid, hosted: hosted || paid.size > 0, unpriced }
}

const ordinaryTiers = new Set(['', 'auto', 'default', 'standard', 'standard_only', 'on_demand', 'scale', 'performance'])

function tierOf(value: Json | undefined): Pick<AskedExtras, 'tier' | 'unpriced'> {
  // Google takes numbers for its words.
  const word = String(value ?? '').toLowerCase()
  if (word === 'flex' || word === 'ultrafast') return { tier: word, unpriced: [] }
  if (word === 'priority' || word === 'fast') return { tier: 'priority', unpriced: [] }
  return { tier: null, unpriced: ordinaryTiers.has(word) ? [] : [`service_tier ${word.slice(0, 40)}`] }
}

const answersAskedBy = (field: string): string => `answers of other models (the field ${field})`

/** Fields by which a vendor is to ask other models, at prices of their own and whatever models the token may use. */
function otherModels(body: JsonBody): string[] {
  const isSaid = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))
  return ['models', 'fallbacks'].filter((field) => isSaid(body[field])).map(answersAskedBy)
}

/** The same in Google's cloud. */
function routedModels({ generationConfig, generation_config }: JsonBody): string[] {
  const configs = [objectOf(generationConfig), objectOf(generation_config)]
  return configs.some((config) => config?.routingConfig ?? config?.routing_config)
    ? [answersAskedBy('routingConfig')]
    : []
}

/** Answers that are fetched later, at an address of the vendor's; and searches in several steps, which have a fee of their own. */
function otherServices({ deferred, web_search_options }: JsonBody): string[] {
  const search = textOf(objectOf(web_search_options)?.search_type) ?? 'fast'
  return [...(deferred ? ['deferred'] : []), ...(search === 'fast' ? [] : [`search_type ${search.slice(0, 40)}`])]
}

const depths: readonly string[] = ['low', 'medium', 'high']
const depthOf = (value: unknown): SearchDepth | 'usual' => {
  const word = textOf(objectOf(value)?.search_context_size) ?? ''
  return depths.includes(word) ? (word as SearchDepth) : 'usual'
}

const chatTool = ({ type }: JsonBody): ToolKind => {
  if (type === undefined || type === 'function' || type === 'custom') return 'tokens'
  return type === 'web_search' || type === 'browser_search' || type === 'builtin_function' ? 'webSearch' : 'unpriced'
}

/** Fields by which vendors of OpenAI's dialect are asked to search the web, at prices of their own. */
function searchFields({ search_parameters, plugins, web_search, enable_search }: JsonBody): string[] {
  const isOff = (value: unknown) => objectOf(value)?.mode === 'off' || objectOf(value)?.enable === false
  return [
    ...(search_parameters && !isOff(search_parameters) ? ['search_parameters'] : []),
    ...(arrayOf(plugins).length > 0 ? ['plugins'] : []),
    ...(objectOf(web_search) && !isOff(web_search) ? ['web_search'] : []),
    ...(enable_search ? ['enable_search'] : []),
  ]
}

/** Vendors that sell many models read such fields at all of their doors. */
const unpricedFields = (body: JsonBody): string[] => [
  ...searchFields(body),
  ...otherModels(body),
  ...otherServices(body),
]

const readChat: Reader = (body) => {
  const { tier, unpriced } = tierOf(body.service_tier)
  const sorted = sortTools(body.tools, chatTool, () => 1)
  return {
    ...noExtras,
    tier,
    tools: sorted.tools,
    // Alibaba runs code for Qwen in as many rounds as it likes, and does not show it.
    hosted: sorted.hosted || Boolean(body.enable_code_interpreter),
    callsAreUnseen: true,
    searchDepth: body.web_search_options ? depthOf(body.web_search_options) : null,
    unpriced: [...unpriced, ...sorted.unpriced, ...unpricedFields(body)],
  }
}

/** Tools that the client runs, or that say nothing but which others there are. One nobody knows may run at the vendor. */
const clientTools = /^(function|custom|namespace|tool_search|local_shell|shell|apply_patch|computer(_use_preview)?)$/

/** Paid by the call at prices of their own. */
const unpricedTools = /^(image_generation|x_search|collections_search|code_execution)$/

/** Code runs for the price of a session on the smallest machine alone. */
const isLarge = (container: unknown): boolean => (textOf(objectOf(container)?.memory_limit) ?? '1g') !== '1g'

const responsesTool = ({ type, environment, container }: JsonBody): ToolKind => {
  const name = textOf(type) ?? 'function'
  if (name.startsWith('web_search')) return 'webSearch'
  if (name === 'file_search') return 'fileSearch'
  if (name === 'code_interpreter') return isLarge(container) ? 'unpriced' : 'codeSession'
  const isHosted = name === 'shell' && (textOf(objectOf(environment)?.type) ?? 'container').startsWith('container')
  if (isHosted || unpricedTools.test(name)) return 'unpriced'
  return clientTools.test(name) ? 'tokens' : 'hosted'
}

const readResponses: Reader = (body, brought) => {
  const { tier, unpriced } = tierOf(body.service_tier)
  const most = callsOf(body.max_tool_calls)
  const sorted = sortTools([...listOf(body.tools), ...brought], responsesTool, () => most)
  return { ...noExtras, tier, ...sorted, unpriced: [...unpriced, ...sorted.unpriced, ...unpricedFields(body)] }
}

/** What has no price among items that are kept for a later request. */
export const unpricedIn = (items: unknown): string | undefined =>
  sortTools(toolsInItems(items), responsesTool, () => null).unpriced[0]

const claudesClientTools = /^(custom|function|bash|text_editor|computer|memory)(_|$)/

const anthropicTool = ({ type }: JsonBody): ToolKind => {
  const name = textOf(type) ?? 'custom'
  if (name.startsWith('web_search')) return 'webSearch'
  if (/^(code_execution|advisor)/.test(name)) return 'unpriced'
  return claudesClientTools.test(name) ? 'tokens' : 'hosted'
}

/** Nobody bounds how often tools are called that stand in messages. */
const unboundedTool = (tool: JsonBody): ToolKind => {
  const kind = anthropicTool(tool)
  return kind === 'tokens' || kind === 'hosted' ? kind : 'unpriced'
}

/** Before it answers, the model reads the conversation and writes a summary of it. */
const compacts = ({ compaction, context_management }: JsonBody): boolean =>
  objectOf(compaction) !== undefined ||
  arrayOf(objectOf(context_management)?.edits).some((edit) => textOf(objectOf(edit)?.type)?.startsWith('compact'))

const readMessages: Reader = (body, brought) => {
  const { unpriced } = tierOf(body.service_tier)
  const sorted = sortTools(body.tools, anthropicTool, (tool) => callsOf(tool.max_uses))
  const inside = sortTools(brought, unboundedTool, () => null)
  return {
    ...noExtras,
    tier: body.speed === 'fast' ? 'fast' : null,
    insideUs: body.inference_geo === 'us',
    tools: sorted.tools,
    hosted: sorted.hosted || inside.hosted || arrayOf(body.mcp_servers).length > 0 || compacts(body),
    unpriced: [...unpriced, ...sorted.unpriced, ...inside.unpriced, ...unpricedFields(body)],
  }
}

const geminiSearches = /^google_?search(_?retrieval)?$/i
const geminisClientTools = /^(function_?declarations|computer_?use)$/i
const geminiUnpriced = /^(google_?maps|enterprise_?web_?search|parallel_?ai_?search|retrieval)$/i

const geminiTool = (tool: JsonBody): ToolKind => {
  const names = Object.keys(tool)
  if (names.some((name) => geminiUnpriced.test(name))) return 'unpriced'
  if (names.some((name) => geminiSearches.test(name))) return 'webSearch'
  return names.every((name) => geminisClientTools.test(name)) ? 'tokens' : 'hosted'
}

const readGemini: Reader = (body) => {
  const { tier, unpriced } = tierOf(body.serviceTier ?? body.service_tier)
  const sorted = sortTools(body.tools, geminiTool, () => null)
  return { ...noExtras, tier, ...sorted, unpriced: [...unpriced, ...sorted.unpriced, ...routedModels(body)] }
}

const readers: Readonly<Record<string, Reader>> = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  'anthropic-messages': readMessages,
  gemini: readGemini,
}

const broughtBy: Readonly<Record<string, (body: JsonBody) => readonly unknown[]>> = {
  'openai-responses': ({ input }) => toolsInItems(input),
  'anthropic-messages': ({ messages }) => toolsInMessages(messages),
}

/** Where any of it is said, in any dialect: most requests say nothing there. */
const extraFields = [
  ...(['tools', 'service_tier', 'serviceTier', 'speed', 'inference_geo'] as const),
  ...(['web_search_options', 'search_parameters', 'plugins', 'web_search', 'enable_search', 'mcp_servers'] as const),
  ...(['enable_code_interpreter', 'models', 'fallbacks', 'compaction', 'context_management'] as const),
  ...(['generationConfig', 'generation_config', 'deferred'] as const),
]

function saysAny(body: JsonBody): boolean {
  for (const field of extraFields) if (body[field] !== undefined) return true
  return false
}

/** What is embedded beside texts, pictures and sound. */
function embedded({ content, requests }: JsonBody): AskedExtras {
  const contents = [content, ...arrayOf(requests).map((request) => objectOf(request)?.content)]
  return contents.some(holdsFilm) ? { ...noExtras, unpriced: ['films among what is embedded'] } : noExtras
}

export function askedExtras({ payload, entrance }: Ask): AskedExtras {
  const { operation, dialect } = entrance.door
  if (operation === 'embeddings' && payload.kind === 'json') return embedded(payload.body)
  if (operation === 'compact' && payload.kind === 'json') return { ...noExtras, ...tierOf(payload.body.service_tier) }
  if (payload.kind === 'form' || (operation !== 'chat' && operation !== 'completions')) return noExtras
  const brought = broughtBy[dialect.id]?.(payload.body) ?? []
  if (brought.length === 0 && !saysAny(payload.body)) return noExtras
  const asked = readers[dialect.id]?.(payload.body, brought) ?? noExtras
  const { tier, insideUs, hosted, searchDepth, unpriced } = asked
  const isPlain = tier === null && !insideUs && !hosted && searchDepth === null && unpriced.length === 0
  return isPlain ? noExtras : asked
}

/** What of it a model has no price for; null when all of it can be billed. */
export function unpricedBy(surcharges: Surcharges, asked: AskedExtras): string | null {
  const [first] = asked.unpriced
  if (first !== undefined) return first
  if (asked.tier && asked.tier !== 'flex' && surcharges.tiers[asked.tier] === undefined)
    return asked.tier === 'fast' ? 'speed fast' : `service_tier ${asked.tier}`
  if (asked.searchDepth && !surcharges.perRequest && !surcharges.researches) return 'web_search_options'
  for (const tool of asked.tools.keys()) if (surcharges.calls[tool] === undefined) return `the server tool ${tool}`
  return null
}
