import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { reading } from '#server/db/reading.ts'
import type { UsageFilter } from '#server/db/usage/filter.ts'
import { prepare, readSums } from '#server/db/usage/read.ts'
import type { Actor } from '#server/http/call.ts'
import { zoneMonth } from '#server/lib/time/zone-buckets.ts'
import type { Statement, usageApi } from '#shared/api/usage.ts'
import type { InputOf } from '#shared/contract.ts'
import { csvLine } from '#shared/csv.ts'
import { invalid } from '#shared/errors.ts'
import { type Scope, scopeFor, systemZone } from './scope.ts'
import { movements } from './statement.store.ts'
import { labelsOf } from './usage.store.ts'

type Wallet = Extract<Scope, { id: number }>

/** What the wallet paid: a user's own is not what his teams paid. */
const paidBy = ({ kind, id }: Wallet): UsageFilter =>
  kind === 'team'
    ? [{ column: 'team_id', values: [id], leaveOut: false }]
    : [
        { column: 'user_id', values: [id], leaveOut: false },
        { column: 'team_id', values: [0], leaveOut: false },
      ]

async function chargesOf(tx: Tx, wallet: Wallet, from: number, to: number): Promise<Statement['charges']> {
  const filter = paidBy(wallet)
  const buckets = [{ from, to }]
  const tokens = await readSums(tx, await prepare(tx, { filter, buckets, by: 'token_id' }))
  const nameOf = await labelsOf(
    tx,
    'token',
    tokens.map(({ key }) => key),
  )
  const charges: Statement['charges'] = []
  for (const { key } of tokens.filter(({ quota }) => quota !== 0)) {
    const ofToken: UsageFilter = [...filter, { column: 'token_id', values: [key], leaveOut: false }]
    const models = await readSums(tx, await prepare(tx, { filter: ofToken, buckets, by: 'model_name' }))
    for (const { key: model, quota } of models) {
      if (quota !== 0) charges.push({ model: String(model), token: nameOf(key), quota })
    }
  }
  return charges.sort((a, b) => b.quota - a.quota || (a.model < b.model ? -1 : 1))
}

const sumOf = (kinds: ReadonlyMap<string, number>): number => [...kinds.values()].reduce((sum, each) => sum + each, 0)

const thisMonth = (ctx: Context): string => {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: systemZone(ctx), year: 'numeric', month: '2-digit' })
  return parts.format(epochSeconds(ctx) * 1000).slice(0, 7)
}

export async function statement(
  ctx: Context,
  actor: Actor,
  input: InputOf<typeof usageApi.statement>,
): Promise<Statement> {
  const wallet = await scopeFor(ctx, actor, input.scope)
  if (wallet.kind === 'all') throw invalid('usage.scope_all')
  const month = input.month ?? thisMonth(ctx)
  const { from, to } = zoneMonth(systemZone(ctx), month)
  return reading(ctx, async (tx) => {
    const opening = sumOf(await movements(tx, wallet, 0, from))
    const kinds = await movements(tx, wallet, from, to)
    const of = (kind: string): number => kinds.get(kind) ?? 0
    const charges = await chargesOf(tx, wallet, from, to)
    const charged = 0 - of('settle')
    // Requests of before the usage was kept apart, whose rows are gone.
    const unknown = charged - charges.reduce((sum, { quota }) => sum + quota, 0)
    return {
      month,
      from,
      to,
      opening,
      topups: of('top-up'),
      grants: sumOf(kinds) - of('settle') - of('top-up') - of('transfer'),
      transfers: of('transfer'),
      charges: unknown === 0 ? charges : [...charges, { model: '', token: '', quota: unknown }],
      closing: opening + sumOf(kinds),
    }
  })
}

export function statementFile({ month, opening, topups, grants, transfers, charges, closing }: Statement): Response {
  const lines = [
    csvLine(['item', 'model', 'token', 'quota']),
    csvLine(['opening', '', '', opening]),
    csvLine(['topups', '', '', topups]),
    csvLine(['grants', '', '', grants]),
    csvLine(['transfers', '', '', transfers]),
    ...charges.map(({ model, token, quota }) => csvLine(['charge', model, token, -quota])),
    csvLine(['closing', '', '', closing]),
  ]
  return new Response(lines.join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="statement-${month}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
