import type { ChatFault } from '#server/dialects/chat.ts'
import { type Consumption, chargeFor } from '#server/relay/metering/charges.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Outcome, SettledRequest } from '#server/relay/relayed-request.ts'
import { free, settle } from '#server/relay/settlement/settle.ts'
import { holdIdOf, type Work } from './work.ts'

export interface WorkEnd {
  readonly outcome: Outcome
  /** In the order of its parts; a missing part is free. */
  readonly used: readonly Consumption[]
  readonly fault?: ChatFault
}

/** The request that began a part of long work, as far as its bill needs it. */
function requestOf(work: Work, at: number, fault: ChatFault | null): SettledRequest | null {
  const part = work.facts.parts[at]
  if (!part) return null
  return {
    id: work.id,
    holdId: holdIdOf(work, at),
    startedAt: work.created_at * 1000,
    caller: { ...work.facts.caller, models: null, limits: { rpm: 0, tpm: 0, parallel: 0 } },
    ask: { model: part.model, stream: false },
    reserve: part.most,
    estimate: 0,
    counted: { caller: [], channel: null },
    limits: null,
    tried: [work.channel_id],
    tries: [],
    candidates: '',
    delivery: part.sold,
    firstByteAt: 0,
    fault,
    trace: null,
    closed: false,
    place: -1,
  }
}

/** What a part costs beyond what was held for it. */
function beyondHold({ facts: { parts } }: Work, at: number, consumption: Consumption): number {
  const part = parts[at]
  if (!part) return 0
  return (consumption.by === 'nothing' ? 0 : chargeFor(part.sold, consumption).quota) - part.most
}

/**
 * Pays every part and gives back the rest of its hold; once, however often it is called. Parts that used less than they held come
 * first, so that their rest is there for a part that used more.
 */
export async function settleWork(context: RelayContext, work: Work, { outcome, used, fault }: WorkEnd): Promise<void> {
  const ends = [...work.facts.parts.keys()].map((at) => {
    const consumption = used[at] ?? free
    return { at, consumption, beyond: beyondHold(work, at, consumption) }
  })
  for (const { at, consumption } of ends.sort((one, other) => one.beyond - other.beyond)) {
    const request = requestOf(work, at, fault ?? null)
    if (request) await settle(context, request, { outcome, consumption })
  }
}
