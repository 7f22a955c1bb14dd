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
  const question = { filter: paidBy(wallet), buckets: [{ from, to }], by: 'token_and_model' } as const
  const sums = (await readSums(tx, await prepare(tx, question))).filter(({ quota }) => quota !== 0)
  const found = sums.map(({ key, quota }) => {
    const [token = '', ...model] = String(key).split(' ')
    return { token, model: model.join(' '), quota }
  })
  const nameOf = await labelsOf(tx, 'token', [...new Set(found.map(({ token }) => Number(token)))])
  const charges = found.map(({ model, token, quota }) => ({ model, token: nameOf(Number(token)), quota }))
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
