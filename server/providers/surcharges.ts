import { memoize } from '#server/lib/memoize.ts'

/** Tools that run at the vendor and are paid by the call. */
export const serverTools = ['webSearch', 'fileSearch', 'codeSession'] as const
export type ServerTool = (typeof serverTools)[number]

/** Ways of being served that cost more or less than the list price. */
export const servingTiers = ['priority', 'flex', 'fast', 'ultrafast'] as const
export type ServingTier = (typeof servingTiers)[number]

/** How much of the web a search model reads before it answers. */
export type SearchDepth = 'low' | 'medium' | 'high'

/** What a vendor takes beside the price of tokens. What is absent has no price. */
export interface Surcharges {
  /** Times the price of every token. */
  readonly tiers: { readonly [name in ServingTier]?: number }
  /** Times the price of every token when it may only be served inside the United States. */
  readonly insideUs?: number
  /** USD a call. */
  readonly calls: { readonly [name in ServerTool]?: number }
  /** Searches cost once a request, however many there were. */
  readonly searchesOnce?: boolean
  /** USD a request: search models search every time. */
  readonly perRequest?: Readonly<Record<SearchDepth, number>>
  /** How much it reads where the client does not say; `medium` unless said. */
  readonly usualDepth?: SearchDepth
  /** What it reads of the web is input; of other search models the fee covers it. */
  readonly readsPages?: true
  /** It searches and reads by itself; neither how often nor how much can be set. */
  readonly researches?: true
}

/** Of an unknown model, and of one that is paid by tokens alone. */
export const noSurcharges: Surcharges = { tiers: {}, calls: {} }

const openai = { webSearch: 0.01, fileSearch: 0.0025, codeSession: 0.03 }
/** Models that do not reason pay more for a search. */
const openaiPlain = { ...openai, webSearch: 0.025 }
const claude = { webSearch: 0.01 }
const gemini3: Surcharges = { tiers: { priority: 1.8, flex: 0.5 }, calls: { webSearch: 0.014 } }
const gemini2: Surcharges = { tiers: {}, calls: { webSearch: 0.035 }, searchesOnce: true }

const sonar = (low: number, medium: number, high: number): Surcharges => ({
  tiers: {},
  calls: {},
  perRequest: { low, medium, high },
  usualDepth: 'low',
})

/** As of 2026-11-15, by the upstream's name of the model. The first match counts. */
// biome-ignore format: one line per family
const families: readonly (readonly [RegExp, Surcharges])[] = [
  [/^(openai\/)?gpt-4o-search-preview/, { tiers: {}, calls: {}, perRequest: { low: 0.03, medium: 0.035, high: 0.05 } }],
  [/^(openai\/)?gpt-4o-mini-search-preview/, { tiers: {}, calls: {}, perRequest: { low: 0.025, medium: 0.0275, high: 0.03 } }],
  [/^(openai\/)?gpt-5-search-api/, { tiers: {}, calls: {}, perRequest: { low: 0.01, medium: 0.01, high: 0.01 }, readsPages: true }],
  [/^gpt-6(-astra|\.1-sol)/, { tiers: { priority: 2, flex: 0.5, ultrafast: 6 }, calls: openai }],
  [/^(gpt-6|gpt-5\.(4-mini|[56](?!-pro))|gpt-5\.4(?!-(pro|nano)))/, { tiers: { priority: 2, flex: 0.5 }, calls: openai }],
  [/^gpt-5\.(4-nano|[45]-pro)/, { tiers: { flex: 0.5 }, calls: openai }],
  [/^gpt-5\.1-codex-mini/, { tiers: { priority: 1.8 }, calls: openai }],
  [/^gpt-5\.[123]-pro/, { tiers: {}, calls: openai }],
  [/^gpt-5\.[123]/, { tiers: { priority: 2 }, calls: openai }],
  [/^gpt-5-mini/, { tiers: { priority: 1.8, flex: 0.5 }, calls: openai }],
  [/^gpt-5-nano/, { tiers: { flex: 0.5 }, calls: openai }],
  [/^gpt-5-pro/, { tiers: {}, calls: openai }],
  [/^gpt-5(-codex)?$|^gpt-5-\d/, { tiers: { priority: 2, flex: 0.5 }, calls: openai }],
  [/^gpt-4\.1-nano/, { tiers: { priority: 2 }, calls: openaiPlain }],
  [/^gpt-4\.1/, { tiers: { priority: 1.75 }, calls: openaiPlain }],
  [/^gpt-4o-2024-05-13/, { tiers: { priority: 1.75 }, calls: openaiPlain }],
  [/^gpt-4o-mini(?!-(audio|tts|transcribe))/, { tiers: { priority: 1.6667 }, calls: openaiPlain }],
  [/^gpt-4o(?!-(audio|transcribe))/, { tiers: { priority: 1.7 }, calls: openaiPlain }],
  [/^o4-mini(?!-deep)/, { tiers: { priority: 1.8182, flex: 0.5 }, calls: openai }],
  [/^o3(?!-(mini|pro|deep))/, { tiers: { priority: 1.75, flex: 0.5 }, calls: openai }],
  [/^(gpt-|o\d|codex|computer-use)/, { tiers: {}, calls: openai }],
  [/^claude-opus-(5|4-8)(?!\d|-5)/, { tiers: { fast: 2 }, insideUs: 1.1, calls: claude }],
  [/^claude-opus-4-[67]/, { tiers: { fast: 6 }, insideUs: 1.1, calls: claude }],
  [/^claude-(sonnet-4-6|(sonnet|fable|haiku|opus)-5)/, { tiers: {}, insideUs: 1.1, calls: claude }],
  [/^claude-(3-[57]|4|sonnet-4|opus-4|haiku-4)/, { tiers: {}, calls: claude }],
  [/^gemini-(3\.[156]-flash(?!-image)|3\.1-pro|3-pro-preview|3-flash|3\.[78]|4)/, gemini3],
  [/^gemini-3/, { tiers: {}, calls: { webSearch: 0.014 } }],
  [/^gemini-/, gemini2],
  [/^(kimi|moonshot|glm)-/, { tiers: {}, calls: { webSearch: 0.00426 } }],
  [/^(x-ai\/)?grok-.*multi-agent/, { tiers: {}, calls: {}, researches: true }],
  [/^(perplexity\/)?sonar-deep-research/, { tiers: {}, calls: { webSearch: 0.005 }, researches: true }],
  [/^(perplexity\/)?sonar(-reasoning)?-pro/, sonar(0.006, 0.01, 0.014)],
  [/^(perplexity\/)?sonar-reasoning/, sonar(0.005, 0.008, 0.014)],
  [/^(perplexity\/)?sonar/, sonar(0.005, 0.008, 0.012)],
  [/^openai\/gpt-oss/, { tiers: {}, calls: { webSearch: 0.005 } }],
]

/** Clients choose model names, so what is remembered about them is bounded. */
const remembered = 5000

/** `model` as its vendor knows it. */
export const surchargesOf = memoize(
  remembered,
  (model: string): Surcharges => families.find(([name]) => name.test(model))?.[1] ?? noSurcharges,
)
