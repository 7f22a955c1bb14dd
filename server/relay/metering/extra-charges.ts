import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import type { Extras } from '#server/billing/pricing/price.ts'
import { type ServerTool, type Surcharges, serverTools } from '#server/providers/surcharges.ts'
import { type AskedExtras, noExtras } from './asked-extras.ts'

/** A dearer tier that the vendor reports and no list prices. */
const unlistedTier = 2

type Fee = Extras['fees'][number]

function timesOf(surcharges: Surcharges, asked: AskedExtras, usage: BillableUsage): number {
  // A discount is given only where the vendor says that it gave one.
  const tier = usage.tier ?? (asked.tier === 'flex' ? 'standard' : (asked.tier ?? 'standard'))
  const served = tier === 'standard' ? 1 : (surcharges.tiers[tier] ?? (tier === 'flex' ? 1 : unlistedTier))
  const isInsideUs = usage.insideUs ?? asked.insideUs
  return isInsideUs ? served * (surcharges.insideUs ?? 1) : served
}

function feesOf(surcharges: Surcharges, asked: AskedExtras, callsOf: (tool: ServerTool) => number): Fee[] {
  const fees: Fee[] = []
  for (const tool of serverTools) {
    const usd = surcharges.calls[tool]
    const calls = callsOf(tool)
    if (usd === undefined || calls <= 0) continue
    fees.push({ of: tool, count: tool === 'webSearch' && surcharges.searchesOnce ? 1 : calls, usd })
  }
  const depth = asked.searchDepth === 'usual' ? null : asked.searchDepth
  const perRequest = surcharges.perRequest?.[depth ?? surcharges.usualDepth ?? 'medium']
  if (perRequest !== undefined) fees.push({ of: 'request', count: 1, usd: perRequest })
  return fees
}

const orNothing = (times: number, fees: readonly Fee[]): Extras | undefined =>
  times === 1 && fees.length === 0 ? undefined : { times, fees }

/** Whether the vendor reports nothing but tokens. */
function isPlain(usage: BillableUsage): boolean {
  for (const tool of serverTools) if (usage[tool] !== undefined) return false
  return usage.tier === undefined && usage.insideUs === undefined
}

/** What is taken beside the tokens of an answer. */
export function chargedExtras(surcharges: Surcharges, asked: AskedExtras, usage: BillableUsage): Extras | undefined {
  if (asked === noExtras && !surcharges.perRequest && isPlain(usage)) return undefined
  const calls = (tool: ServerTool) => usage[tool] ?? (asked.callsAreUnseen && asked.tools.has(tool) ? 1 : 0)
  return orNothing(timesOf(surcharges, asked, usage), feesOf(surcharges, asked, calls))
}

/** Held for tools without a limit of the client's. */
export const callsHeld = 20

/** What may be taken beside the tokens at most, with so many calls of each tool. */
export function heldExtras(surcharges: Surcharges, asked: AskedExtras, calls: number): Extras | undefined {
  if (asked === noExtras && !surcharges.perRequest && !surcharges.researches) return undefined
  const times = timesOf(surcharges, asked, { input: 0, output: 0 })
  const most = (tool: ServerTool) => {
    const own = surcharges.researches && tool === 'webSearch' ? null : asked.tools.get(tool)
    return own === undefined ? 0 : Math.min(own ?? calls, calls)
  }
  return orNothing(times, feesOf(surcharges, asked, most))
}
