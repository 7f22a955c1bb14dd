import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { type PriceBook, quotaOf } from '#server/billing/pricing/price.ts'
import type { Operation } from '#server/providers/provider.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { type Consumption, chargeFor } from './charges.ts'
import { estimateInput } from './estimate.ts'

/** Answers of unknown length are taken to be at most this long. */
const unknownAnswerTokens = 4096

export interface Ceiling {
  /** Must be there for the request to start: the prompt, and the operator's least reservation. */
  readonly least: number
  /** What the request may cost at most. */
  readonly wanted: number
}

/** Only conversations and completions have an answer of open length. */
const openEnded: ReadonlySet<Operation> = new Set(['chat', 'completions'])

/** How much a request may cost at most, priced at the dearest of the caller's groups. */
export function ceilingOf(
  ask: Ask,
  price: ModelPrice,
  book: PriceBook,
  caller: Caller,
  preConsumedQuota: number,
): Ceiling {
  const groupRatio = dearestRatio(book, caller.groups)
  const inputTokens = estimateInput(ask)
  const { operation } = ask.entrance.door
  if (!openEnded.has(operation)) {
    const fixed = chargeFor(price, groupRatio, fixedConsumption(ask, inputTokens)).quota
    const wanted = Math.max(fixed, fixed === 0 ? 0 : preConsumedQuota)
    return { least: wanted, wanted }
  }
  const answer = (ask.answerLimit ?? price.maxOutput ?? unknownAnswerTokens) * ask.n
  const most = quotaOf(price, groupRatio, { input: inputTokens, output: answer })
  if (most === 0) return { least: 0, wanted: 0 }
  const wanted = Math.max(most, preConsumedQuota)
  if (ask.answerLimit !== null) return { least: wanted, wanted }
  const prompt = quotaOf(price, groupRatio, { input: inputTokens, output: 0 })
  return { least: Math.min(wanted, Math.max(prompt, preConsumedQuota)), wanted }
}

function dearestRatio(book: PriceBook, groups: readonly string[]): number {
  let dearest = 0
  for (const group of groups) dearest = Math.max(dearest, book.groupRatio(group))
  return dearest
}

const tokens = (input: number, output: number): Consumption => ({
  by: 'tokens',
  usage: { input, output },
  counted: true,
})

function fixedConsumption(ask: Ask, inputTokens: number): Consumption {
  const { payload } = ask
  const field = (name: string): unknown => (payload.kind === 'json' ? payload.body[name] : payload.form.get(name))
  const text = (name: string) => (typeof field(name) === 'string' ? { [name]: String(field(name)) } : {})
  switch (ask.entrance.door.operation) {
    case 'images':
    case 'image-edits':
    case 'image-variations':
      return { by: 'pictures', n: ask.n, ...text('size'), ...text('quality') }
    case 'speech':
      return { by: 'characters', characters: [...String(field('input') ?? '')].length }
    case 'transcriptions':
    case 'translations':
      return { by: 'seconds', seconds: secondsOf(payload) }
    default:
      return tokens(inputTokens, 0)
  }
}

/** Recordings are not opened: at the thinnest usual rate (4 kB a second) they are at most this long. */
function secondsOf(payload: Ask['payload']): number {
  return payload.kind === 'form' ? Math.ceil(payload.bytes.byteLength / 4000) : 60
}
