import type { Selectable } from 'kysely'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import type { TestClient } from '#server/testing/test-app.ts'
import { type UsageBy, usageApi } from '#shared/api/usage.ts'
import type { ArgsOf } from '#shared/contract.ts'

export type Row = Selectable<LogsTable>

/** What somebody asks, and which rows it is about. */
export interface View {
  readonly name: string
  readonly client: TestClient
  readonly scope: string
  readonly isAdmin: boolean
  holds(row: Row): boolean
}

type Asked = ArgsOf<typeof usageApi.series>

const filters: [string, Asked, (row: Row) => boolean][] = [
  ['everything', {}, () => true],
  ['a model', { model_name: 'gpt-4o' }, (row) => row.model_name === 'gpt-4o'],
  ['all but a model', { model_name: '!gpt-4o' }, (row) => row.model_name !== 'gpt-4o'],
  ['a token name', { token_name: 'own' }, (row) => row.token_name === 'own'],
  ['a user', { username: 'bert' }, (row) => row.username === 'bert'],
  [
    'a group and not a token',
    { group: 'vip', token_name: '!own' },
    (row) => row.group === 'vip' && row.token_name !== 'own',
  ],
]

const keyOf: Record<UsageBy, (row: Row) => string> = {
  none: () => 'all',
  model: (row) => row.model_name,
  token: (row) => String(row.token_id),
  user: (row) => String(row.user_id),
  channel: (row) => String(row.channel),
  group: (row) => row.group,
  team: (row) => String(row.team_id),
  payer: (row) => (row.team_id > 0 ? `team:${row.team_id}` : `user:${row.user_id}`),
}

const add = (rows: readonly Row[], value: (row: Row) => number) => rows.reduce((sum, row) => sum + value(row), 0)

function totalsOf(rows: readonly Row[], isAdmin: boolean): Record<string, number | null> {
  const quota = add(rows, (row) => row.quota)
  const cost = add(rows, (row) => row.cost ?? 0)
  const visible = {
    requests: rows.length,
    failed: add(rows, (row) => (row.outcome === 'failed' ? 1 : 0)),
    prompt_tokens: add(rows, (row) => row.prompt_tokens),
    cached_tokens: add(rows, (row) => row.cached_tokens),
    completion_tokens: add(rows, (row) => row.completion_tokens),
    quota,
  }
  if (!isAdmin) return visible
  const unknown = add(rows, (row) => (row.cost === null ? 1 : 0))
  const margin = quota === 0 || (cost === 0 && unknown > 0) ? null : (quota - cost) / quota
  return { ...visible, cost, cost_unknown: unknown, profit: quota - cost, margin }
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** Every measure of every usage call against the sum over the rows. Returns what differs. */
export async function usageFaults(
  rows: readonly Row[],
  views: readonly View[],
  range: { from: number; to: number },
  zones: readonly string[],
): Promise<string[]> {
  const faults: string[] = []
  const same = (what: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      faults.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }
  const odd = { from: range.from + 1234, to: range.to - 4321 }
  for (const view of views) {
    const within = ({ from, to }: typeof range) =>
      rows.filter((row) => view.holds(row) && row.created_at >= from && row.created_at < to)
    for (const [filter, asked, wanted] of filters) {
      for (const span of [range, odd]) {
        const what = `${view.name}, ${filter}, from ${span.from}`
        const own = within(span).filter(wanted)
        const found = await view.client.call(usageApi.summary, { scope: view.scope, ...span, ...asked })
        same(`summary of ${what}`, found.totals, totalsOf(own, view.isAdmin))
        same(
          `error share of ${what}`,
          found.error_share,
          share(
            add(own, (row) => Number(row.outcome === 'failed')),
            own.length,
          ),
        )
        const prompts = add(own, (row) => row.prompt_tokens)
        same(
          `cached share of ${what}`,
          found.cached_share,
          share(
            add(own, (row) => row.cached_tokens),
            prompts,
          ),
        )
      }
    }
    const kinds = (Object.keys(keyOf) as UsageBy[]).filter((by) => view.isAdmin || by !== 'channel')
    for (const by of kinds) {
      const own = within(odd)
      const groups = Map.groupBy(own, keyOf[by])
      const what = `${view.name} by ${by}`
      if (by !== 'none') {
        const table = await view.client.call(usageApi.table, { scope: view.scope, ...odd, by, pagesize: 100 })
        same(`table of ${what}`, table.list.map(({ key }) => key).sort(), [...groups.keys()].sort())
        for (const row of table.list) {
          for (const [name, value] of Object.entries(totalsOf(groups.get(row.key) ?? [], view.isAdmin)))
            same(`${name} of ${what} ${row.key}`, row[name as keyof typeof row], value)
        }
      }
      for (const zone of zones) {
        const asked = { scope: view.scope, ...odd, by, step: 'day', time_zone: zone, top: 2 } as const
        const { buckets, series } = await view.client.call(usageApi.series, asked)
        const named = new Set(series.map(({ key }) => key))
        const bucketOf = (row: Row) => buckets.findLastIndex((start) => start <= row.created_at)
        for (const { key, values } of series) {
          const mine = own.filter((row) => (key === 'other' ? !named.has(keyOf[by](row)) : keyOf[by](row) === key))
          for (const [name, found] of Object.entries(values)) {
            const wanted = buckets.map(
              (_, at) =>
                totalsOf(
                  mine.filter((row) => bucketOf(row) === at),
                  view.isAdmin,
                )[name],
            )
            same(`series of ${name}, ${what}, ${key} in ${zone}`, found, wanted)
          }
        }
      }
    }
  }
  return faults
}
