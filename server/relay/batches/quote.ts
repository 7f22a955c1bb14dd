import { createPace } from '#server/lib/turns/work-turns.ts'
import { pack } from '#server/relay/long-work/pack.ts'
import { soldThrough, type WorkPart } from '#server/relay/long-work/work.ts'
import type { AskedExtras } from '#server/relay/metering/asked-extras.ts'
import { ceilingOf, isOpenEnded } from '#server/relay/metering/ceiling.ts'
import { cheapestGroup } from '#server/relay/metering/charges.ts'
import { callsHeld } from '#server/relay/metering/extra-charges.ts'
import { measure } from '#server/relay/metering/measure.ts'
import type { Offer } from '#server/relay/metering/offer.ts'
import type { Funds } from '#server/relay/metering/purse.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type Ask, askFromBody, type JsonBody } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Entrance } from '#server/relay/request/doors.ts'
import { planRequest } from '#server/relay/routing/plan.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { Reference } from '#server/relay/state/reference.ts'
import { referencesIn } from '#server/relay/state/referred-ids.ts'
import { type BatchFacts, refuseManyLines, withKey } from './batch-facts.ts'

/** The most different prices within one batch. */
const partsMax = 50

/** One line: its key and its request. */
export interface BatchLine {
  /** '' where its vendor distinguishes lines by their order. */
  readonly key: string
  readonly entrance: Entrance
  readonly text: string
  readonly body: JsonBody
}

/** What a batch may cost at most, line by line. */
export interface Quote {
  /** Refuses a line that cannot be taken, naming its number. */
  add(line: BatchLine): Promise<void>
  parts(): WorkPart[]
  facts(): BatchFacts
  /** The ids its lines refer to. */
  references(): readonly Reference[]
}

interface OpenPart {
  /** Which part of the batch it is. */
  readonly at: number
  readonly model: string
  readonly sold: WorkPart['sold']
  /** Its lines at the full price. */
  wanted: number
  lines: number
  inputTokens: number
}

const numbered = (error: unknown, line: number): unknown =>
  error instanceof RelayFault
    ? new RelayFault(
        { ...error.fault, message: `Line ${line} of the batch: ${error.fault.message}` },
        undefined,
        {},
        error.facts,
      )
    : error

/** Lines are sent unchanged, so a limit above the model's longest known answer is held as it stands. */
function withAskedLimit(offer: Offer, { answerLimit }: Ask): Offer {
  const { facts } = offer
  if (answerLimit === null || facts?.maxOutput == null || answerLimit <= facts.maxOutput) return offer
  return { ...offer, facts: { ...facts, maxOutput: answerLimit } }
}

/** Dialects in which a client can say how often tools may be called. */
const limitsCalls: ReadonlySet<string> = new Set(['openai-responses', 'anthropic-messages'])

/** Tool calls cannot be limited once the batch runs, so every line must limit them to what is held. */
function refuseUnboundedCalls({ entrance: { door } }: Ask, { tools }: AskedExtras): void {
  if (!limitsCalls.has(door.dialect.id)) return
  const isUnbounded = [...tools.values()].some((most) => most === null || most > callsHeld)
  if (isUnbounded) throw refuse('batchCalls', { most: callsHeld })
}

/** `funds` is what there is to pay it from: a batch that costs more is refused as soon as its lines do. */
export async function createQuote(
  context: RelayContext,
  caller: Caller,
  channel: RoutedChannel,
  funds: Funds,
): Promise<Quote> {
  const table = await context.routing.table()
  const book = context.prices()
  const parts = new Map<string, OpenPart>()
  const keys = new Set<string>()
  const others = new Map<string, number>()
  const references = new Map<string, Reference>()
  const pace = createPace()
  let lines = 0
  let most = 0

  const priced = async ({ key, entrance, text, body }: BatchLine) => {
    const ask = askFromBody(entrance, text, body)
    const plan = planRequest(table, book, caller, ask)
    const candidate = plan.candidates.find(({ id }) => id === channel.id)
    const offer = candidate && plan.offerThrough(candidate)
    if (!offer) throw refuse('batchElsewhere', { model: ask.model })
    const { price, surcharges } = offer
    for (const one of referencesIn(entrance.door.dialect.id, text, body)) references.set(one.id, one)
    const measured = await measure(ask, plan.extras)
    refuseUnboundedCalls(ask, plan.extras)
    const { wanted } = ceilingOf(withAskedLimit(offer, ask), measured, 0)
    // An answer cannot be cut short once the batch runs, so one of unknown length cannot be held.
    if (wanted > 0 && isOpenEnded(ask) && ask.answerLimit === null && offer.facts?.maxOutput == null)
      throw refuse('batchUnbounded', { model: ask.model })
    const name = `${ask.model}\n${pack(plan.extras)}`
    const part: OpenPart = parts.get(name) ?? {
      at: parts.size,
      model: ask.model,
      sold: soldThrough(channel, {
        price,
        surcharges,
        asked: plan.extras,
        ...cheapestGroup(book, caller.groups, channel.groups),
      }),
      wanted: 0,
      lines: 0,
      inputTokens: 0,
    }
    parts.set(name, part)
    if (parts.size > partsMax) throw refuse('batchTooLong', { most: `${partsMax} kinds of` })
    // Fees by the call are not halved.
    const isShared = !price.perRequest && plan.extras.tools.size === 0 && !surcharges.perRequest
    const share = isShared ? wanted * price.batchShare : wanted
    part.wanted += share
    most += share
    part.lines += 1
    part.inputTokens += measured.size.tokens
    if (part.at > 0) others.set(key === '' ? String(lines) : key, part.at)
  }

  return {
    async add(line) {
      refuseManyLines(lines + 1)
      if (line.key !== '' && keys.has(line.key))
        throw refuse('batchLine', { line: lines + 1, why: 'its custom_id is given twice' })
      // A lone surrogate would come back as another character, and the result could not be matched.
      if (!line.key.isWellFormed()) throw refuse('batchLine', { line: lines + 1, why: 'its custom_id is no text' })
      if (line.key !== '') keys.add(line.key)
      await priced(line).catch((error) => {
        throw numbered(error, lines + 1)
      })
      lines += 1
      if (most > funds.available) throw funds.lack(Math.ceil(most))
      if (pace.isDue()) await pace.giveWay()
    },
    parts: () => {
      if (lines === 0) throw refuse('batchEmpty')
      return [...parts.values()].map(({ model, sold, wanted }) => ({ model, sold, most: Math.ceil(wanted) }))
    },
    facts: () => ({
      others,
      inputTokens: [...parts.values()].map((part) => Math.ceil(part.inputTokens / part.lines)),
      lines,
      keysMark: [...keys].reduce(withKey, 0n),
    }),
    references: () => [...references.values()],
  }
}
