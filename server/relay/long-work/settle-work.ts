import type { ChatFault } from '#server/dialects/chat.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Outcome, SettledRequest } from '#server/relay/relayed-request.ts'
import { free, settle } from '#server/relay/settlement/settle.ts'
import { holdIdOf, type Work } from './work.ts'

export interface WorkEnd {
  readonly outcome: Outcome
  /** In the order of its parts; what is left out is free. */
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
  }
}

/** Pays every part and gives back the rest of what was held; once, however often it is called. */
export async function settleWork(context: RelayContext, work: Work, { outcome, used, fault }: WorkEnd): Promise<void> {
  for (const at of work.facts.parts.keys()) {
    const request = requestOf(work, at, fault ?? null)
    if (request) await settle(context, request, { outcome, consumption: used[at] ?? free })
  }
}
