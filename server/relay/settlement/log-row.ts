import type { RequestLog } from '#server/billing/ledger/ledger.ts'
import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import type { Charge } from '#server/billing/pricing/price.ts'
import { withModelAskedFor } from '#server/db/logs/route-record.ts'
import { withoutZeros } from '#server/lib/text/without-zeros.ts'
import { type Consumption, costFor } from '#server/relay/metering/charges.ts'
import type { Outcome, SettledRequest } from '#server/relay/relayed-request.ts'
import { logType } from '#shared/statuses.ts'
import { routeRecord } from './route-record.ts'

/** How a request ended, and what it used. */
export interface RequestEnd {
  readonly outcome: Outcome
  readonly consumption: Consumption
}

/** A request as a row of the log. */
export function logRow(
  request: SettledRequest,
  { outcome, consumption }: RequestEnd,
  charge: Charge | null,
  now: number,
): RequestLog {
  const { caller, ask, delivery } = request
  const usage: BillableUsage = 'usage' in consumption ? consumption.usage : { input: 0, output: 0 }
  return {
    user_id: caller.userId,
    created_at: Math.floor(now / 1000),
    type: logType.consumption,
    content: describe(request, charge),
    username: caller.username,
    token_name: caller.tokenName,
    model_name: ask.model,
    quota: 0,
    prompt_tokens: whole(usage.input),
    completion_tokens: whole(usage.output),
    channel: delivery?.channel.id ?? request.tried.at(-1) ?? 0,
    request_id: request.id,
    duration_ms: Math.max(0, Math.round(now - request.startedAt)),
    first_byte_ms: request.firstByteAt === 0 ? 0 : Math.max(0, Math.round(request.firstByteAt - request.startedAt)),
    is_stream: ask.stream ? 1 : 0,
    outcome,
    tried: request.tried.length === 1 ? String(request.tried[0]) : request.tried.join(','),
    detail: detail(request, consumption, charge),
    token_id: caller.tokenId,
    team_id: caller.teamId,
    group: delivery?.group ?? caller.groups[0] ?? '',
    cached_tokens: whole((usage.cacheRead ?? 0) + (usage.audioCacheRead ?? 0)),
    cost: delivery ? costFor(delivery.channel, ask.model, consumption, delivery.asked) : 0,
    route: routeRecord(request, consumption),
  }
}

/** Rounds what a provider reported: the columns are integers. */
const whole = (tokens: number): number => Math.min(Math.max(0, Math.ceil(tokens)), Number.MAX_SAFE_INTEGER)

function describe(request: SettledRequest, charge: Charge | null): string {
  const { fault, delivery, ask } = request
  const words = explain(request, charge)
  if (!fault && ask.note === undefined && !delivery?.leftOut.length) return words
  const said = ask.note === undefined ? '' : `${ask.note}: `
  const note = delivery?.leftOut.length ? `; tools left out: ${delivery.leftOut.join(', ')}` : ''
  return withoutZeros(said + words + note)
}

function explain({ fault, tries, delivery, ask }: SettledRequest, charge: Charge | null): string {
  if (fault) {
    const mapped = delivery?.channel.mapping.get(ask.model) ?? tries.at(-1)?.fault?.mapped
    return withModelAskedFor(fault.message, mapped, ask.model).slice(0, 500)
  }
  const explanation = charge?.explanation
  if (!explanation) return 'nothing was answered'
  if (explanation.by !== 'tokens')
    return `${explanation.count} ${explanation.by} at ${explanation.each} each, group ratio ${explanation.groupRatio}`
  let completion: number | undefined
  for (const part of explanation.parts) if (part.of === 'output') completion ??= part.ratio
  return ratiosInWords(explanation.modelRatio, explanation.groupRatio, completion)
}

let lastRatios: readonly [number, number, number | undefined] = [1, 1, undefined]
let lastWords = 'model ratio 1, group ratio 1'

/** Consecutive requests mostly have the same price: the text of the last one is reused. */
function ratiosInWords(model: number, group: number, completion: number | undefined): string {
  if (lastRatios[0] === model && lastRatios[1] === group && lastRatios[2] === completion) return lastWords
  const ratios = `model ratio ${model}, group ratio ${group}`
  lastRatios = [model, group, completion]
  lastWords = completion === undefined ? ratios : `${ratios}, completion ratio ${completion}`
  return lastWords
}

function detail({ ask, delivery, fault }: SettledRequest, consumption: Consumption, charge: Charge | null): string {
  const text = JSON.stringify({
    charge: charge?.explanation,
    counted: ('usage' in consumption && consumption.counted) || undefined,
    lines: consumption.by === 'lines' ? consumption.lines : undefined,
    fault: fault ? { status: fault.status, code: fault.code } : undefined,
    mapped: delivery?.channel.mapping.get(ask.model),
    left_out: delivery?.leftOut.length ? delivery.leftOut : undefined,
  })
  return text === '{}' ? '' : text
}
