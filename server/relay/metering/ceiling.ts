import { timesOpenaiTokens, toolPromptTokens } from '#server/billing/counting/claude-tokens.ts'
import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { chargeRequest } from '#server/billing/pricing/charge-each.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { type Extras, quotaOf } from '#server/billing/pricing/price.ts'
import type { ModelFacts } from '#server/providers/model-facts.ts'
import { type AnswerBound, type Operation, unbounded } from '#server/providers/provider.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import { callsHeld, heldExtras } from './extra-charges.ts'
import { fixedCeiling } from './fixed-ceiling.ts'
import type { Ceiling, Measured, Offer } from './offer.ts'
import { mostSearches } from './search-units.ts'

/** Answers of unknown length are at most this long, unless the client says otherwise. */
const unknownAnswerTokens = 4096
/** No answer is cut shorter than this for lack of money. */
const shortAnswerTokens = 1024
/** What a model nobody described may read. */
const unknownContext = 1_048_576

/** Only conversations and completions have an answer of open length. */
export const isOpenEnded = ({ entrance }: Ask): boolean => openEnded.has(entrance.door.operation)
const openEnded: ReadonlySet<Operation> = new Set(['chat', 'completions', 'compact'])

/** The most that may be asked for: the client's limit, but no more than the model knows. */
function longestAnswer({ answerLimit }: Ask, facts: ModelFacts | null): number {
  const most = facts?.maxOutput ?? null
  if (answerLimit === null) return most ?? unknownAnswerTokens
  return most === null ? answerLimit : Math.min(answerLimit, most)
}

/** All that may be thought beside the limit of the answer. */
function thoughtsBeside({ facts, model, surcharges, thinksBeside }: Offer, { ask }: Measured): number {
  if (surcharges.researches) return facts?.context ?? unknownContext
  const { payload, entrance } = ask
  if (!thinksBeside || payload.kind !== 'json' || entrance.door.operation !== 'chat') return 0
  const thinks = facts?.features.includes('reasoning') ?? true
  return thinks ? thinksBeside(model, { dialect: entrance.door.dialect.id, body: payload.body }) : 0
}

type TokenKind = keyof ModelPrice['tiers'][0]['ratios']

const rate = ({ price }: Offer, of: TokenKind): number => price.tiers[0].ratios[of]

/** The dearest of these kinds of token, when it costs more than a plain one. */
function dearestOf(offer: Offer, kinds: readonly TokenKind[], plain: number): TokenKind | null {
  let dearest: TokenKind | null = null
  let most = plain
  for (const kind of kinds) {
    const ratio = rate(offer, kind)
    if (ratio <= most) continue
    dearest = kind
    most = ratio
  }
  return dearest
}

/** The dearest price a token of the prompt may be charged at, when it is not the plain one. */
function dearestInput(offer: Offer, { size, extras }: Measured): TokenKind | null {
  const writes = size.writesCache || offer.price.writesCache
  const hasSound = size.sound > 0 || size.isOpen
  const sees = size.pictures > 0 || size.isOpen || extras.hosted
  if (!writes && !hasSound && !sees) return null
  const kinds: TokenKind[] = []
  if (writes) kinds.push('cacheWriteLong', 'cacheWrite')
  if (hasSound) kinds.push('audioInput')
  if (sees) kinds.push('imageInput')
  return dearestOf(offer, kinds, 1)
}

const writtenKinds: readonly TokenKind[] = ['reasoning', 'imageOutput']
const spokenKinds: readonly TokenKind[] = [...writtenKinds, 'audioOutput']

/** The same of the answer: thoughts, sound and pictures have their own. */
const dearestOutput = (offer: Offer, { speaks }: Measured): TokenKind | null =>
  dearestOf(offer, speaks ? spokenKinds : writtenKinds, rate(offer, 'output'))

/** Every token at the dearest price it may be charged at. */
function mostUsage(offer: Offer, measured: Measured, input: number, output: number): BillableUsage {
  const usage: { -readonly [Kind in keyof BillableUsage]: BillableUsage[Kind] } = { input, output }
  const read = dearestInput(offer, measured)
  const written = dearestOutput(offer, measured)
  if (read) usage[read] = input
  if (written) usage[written] = output
  return usage
}

/** Pictures cost these many times more tokens there. */
const pictureTimes = (model: string): number => (model.startsWith('gpt-4o-mini') ? 13 : 1)

function knownInput({ size, tools }: Measured, { knownAs }: Offer): number {
  const text = (size.tokens - size.pictures - size.sound) * timesOpenaiTokens(knownAs)
  const added = toolPromptTokens(knownAs, tools)
  return Math.ceil(text) + added + size.pictures * pictureTimes(knownAs) + size.sound
}

/** All the prompt may turn out to be: what nobody can measure is held as all the model can read. */
function mostInput(measured: Measured, offer: Offer): number {
  const known = knownInput(measured, offer)
  const { researches, readsPages } = offer.surcharges
  const isOpen = measured.size.isOpen || measured.extras.hosted || researches || readsPages
  return isOpen ? Math.max(known, offer.facts?.context ?? unknownContext) : known
}

/** How long prompt and answer with its thoughts are taken to be, and how often hosted tools are called. */
interface Lengths {
  readonly input: number
  readonly answer: number
  readonly calls: number
}

function costOf(offer: Offer, measured: Measured, { input, answer, calls }: Lengths): number {
  const { price, groupRatio, surcharges } = offer
  const extras: Extras | undefined = heldExtras(surcharges, measured.extras, calls)
  const usage = mostUsage(offer, measured, input, answer * measured.ask.n + measured.predicted)
  return quotaOf(price, groupRatio, usage, extras)
}

/** How much a request may cost at most through one channel, and how much must be there at least. */
export function ceilingOf(offer: Offer, measured: Measured, preConsumedQuota: number): Ceiling {
  const { ask } = measured
  const { price, groupRatio } = offer
  if (price.perRequest) {
    const { quota } = chargeRequest(price, groupRatio, price.perRequest, mostSearches(ask))
    return { least: quota, wanted: quota }
  }
  if (!isOpenEnded(ask)) return fixedCeiling(offer, measured, preConsumedQuota, mostInput(measured, offer))
  const longest = longestAnswer(ask, offer.facts)
  const thoughts = thoughtsBeside(offer, measured)
  const input = mostInput(measured, offer)
  const most = costOf(offer, measured, { input, answer: longest + thoughts, calls: callsHeld })
  if (most === 0) return { least: 0, wanted: 0 }
  if (most <= preConsumedQuota) return { least: preConsumedQuota, wanted: preConsumedQuota }
  const wanted = most
  const answer = shortest(longest, thoughts)
  const short = costOf(offer, measured, { input: knownInput(measured, offer), answer, calls: 1 })
  return { least: Math.min(wanted, Math.max(short, preConsumedQuota)), wanted }
}

/** What is held for a request, and what was to be held: the most it may cost through any of its channels. */
interface Held {
  readonly reserve: number
  readonly wanted: number
}

/** The limits the upstream is sent, so that the answer costs no more than is held. */
export function boundOf(offer: Offer, measured: Measured, { reserve: held, wanted }: Held): AnswerBound {
  const { ask, extras } = measured
  if (!isOpenEnded(ask) || offer.price.perRequest) return unbounded
  const longest = longestAnswer(ask, offer.facts)
  const limit = ask.answerLimit
  if (held >= wanted && limit === longest && extras.tools.size === 0) return { ...unbounded, longest }
  const thoughts = thoughtsBeside(offer, measured)
  const input = mostInput(measured, offer)
  const most = costOf(offer, measured, { input, answer: longest + thoughts, calls: callsHeld })
  const calls = extras.tools.size === 0 ? null : most <= held ? callsHeld : affordableCalls(offer, measured, held)
  if (most <= held) {
    // What a model nobody described might answer is not held: it is sent what is held as its limit.
    const isHeld = limit === null ? offer.facts?.maxOutput != null || most === 0 : limit === longest
    return { answer: isHeld ? null : longest, longest, calls, thoughts: null }
  }
  const known = knownInput(measured, offer)
  const afterAll = affordableAnswer(offer, measured, { input: withMargin(input), calls: calls ?? 0 }, held)
  // What nobody can measure may be as small as it usually is: then half of the hold is the answer's.
  const afterKnown = input === known ? 0 : affordableAnswer(offer, measured, { input: known, calls: 1 }, held / 2)
  const all = Math.min(longest + thoughts, Math.max(shortest(longest, thoughts), afterAll, afterKnown))
  return { longest, calls, ...divided(all, longest, thoughts) }
}

/** A short answer, and as much again to think before it where thoughts are not part of it. */
const shortest = (longest: number, thoughts: number): number =>
  Math.min(shortAnswerTokens, longest) + Math.min(shortAnswerTokens, thoughts)

/** Half for the answer and half for its thoughts, unless one of them needs less. */
function divided(all: number, longest: number, thoughts: number): Pick<AnswerBound, 'answer' | 'thoughts'> {
  if (thoughts === 0) return { answer: all, thoughts: null }
  const answer = Math.min(longest, Math.max(Math.floor(all / 2), all - thoughts))
  return { answer, thoughts: all - answer }
}

/** A vendor may count a prompt a little larger than it was estimated. */
const withMargin = (tokens: number): number => tokens + 128 + Math.ceil(tokens / 20)

function affordableCalls(offer: Offer, measured: Measured, held: number): number {
  const input = knownInput(measured, offer)
  for (let calls = callsHeld; calls > 1; calls -= 1)
    if (costOf(offer, measured, { input, answer: shortAnswerTokens, calls }) <= held / 2) return calls
  return 1
}

/** The longest answer whose price, with the prompt's, is not above an amount; found by halving, for prices have steps. */
function affordableAnswer(offer: Offer, measured: Measured, beside: Omit<Lengths, 'answer'>, amount: number): number {
  let fits = 0
  let exceeds = longestAnswer(measured.ask, offer.facts) + thoughtsBeside(offer, measured) + 1
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2)
    if (costOf(offer, measured, { ...beside, answer: middle }) <= amount) fits = middle
    else exceeds = middle
  }
  return fits
}

/** The ceiling of the dearest channel: whichever answers, it is held. */
export function dearestCeiling(offers: readonly Offer[], measured: Measured, preConsumedQuota: number): Ceiling {
  let least = 0
  let wanted = 0
  for (const offer of offers) {
    const ceiling = ceilingOf(offer, measured, preConsumedQuota)
    least = Math.max(least, ceiling.least)
    wanted = Math.max(wanted, ceiling.wanted)
  }
  return { least, wanted }
}
