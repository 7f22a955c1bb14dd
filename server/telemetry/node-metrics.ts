import type { Pool } from 'pg'
import type { Context } from '#server/context.ts'
import type { PostgresDatabase } from '#server/db/database.ts'
import { driftSeen } from '#server/jobs/prove-balances.ts'
import type { Breaker } from '#server/relay/routing/breaker.ts'
import type { Exposition, Sample } from './exposition.ts'
import type { LoopLag } from './loop-lag.ts'

const one = (value: number) => [{ value }]

/** What can be read off a node at any moment. */
export async function writeNodeMetrics(page: Exposition, ctx: Context, breaker: Breaker, lag: LoopLag): Promise<void> {
  const { heapUsed, rss } = process.memoryUsage()
  const cpu = process.cpuUsage()
  page.gauge('switchyard_info', 'The version that runs.', [{ labels: { version: ctx.version }, value: 1 }])
  page.gauge('process_start_time_seconds', 'When the node started.', one(ctx.startedAt))
  page.counter('process_cpu_seconds_total', 'Processor time used.', one((cpu.user + cpu.system) / 1_000_000))
  page.gauge('process_resident_memory_bytes', 'Memory in use.', one(rss))
  page.gauge('switchyard_heap_bytes', 'Memory used by the objects of the program.', one(heapUsed))
  page.gauge('switchyard_event_loop_lag_seconds', 'Longest delay of a timer since the last look.', one(lag.take()))
  page.gauge('switchyard_ledger_queue', 'Operations that wait for a commit.', one(ctx.ledger.depth()))
  const drift = driftSeen()
  page.gauge(
    'switchyard_ledger_drift',
    'Balances that did not add up at the last proof; absent before it.',
    drift === null ? [] : one(drift),
  )
  page.gauge(
    'switchyard_breaker_open',
    'Channels the breaker of this node keeps requests from.',
    [...breaker.states(ctx.clock())].map(([channel, state]) => ({ labels: { channel, state }, value: 1 })),
  )
  page.gauge(
    'switchyard_database_connections',
    'Connections of the pools, and callers that wait for one; PostgreSQL only.',
    ctx.database.engine === 'postgres' ? connections(poolsOf(ctx.database)) : [],
  )
  const holds = await openHolds(ctx).catch(() => null)
  page.gauge('switchyard_holds', 'Running requests whose money is held.', holds === null ? [] : one(holds))
  page.gauge('switchyard_database_up', 'Whether the database answers.', one(holds === null ? 0 : 1))
}

const poolsOf = ({ pool, ledgerPool, reportPool, probePool }: PostgresDatabase): Pool[] => [
  pool,
  ledgerPool,
  reportPool,
  probePool,
]

const connections = (pools: readonly Pool[]): Sample[] => {
  const sum = (of: (pool: Pool) => number) => pools.reduce((total, pool) => total + of(pool), 0)
  return [
    { labels: { state: 'busy' }, value: sum(({ totalCount, idleCount }) => totalCount - idleCount) },
    { labels: { state: 'idle' }, value: sum(({ idleCount }) => idleCount) },
    { labels: { state: 'waiting' }, value: sum(({ waitingCount }) => waitingCount) },
  ]
}

/** In memory on SQLite; of this node, in the table, on PostgreSQL. */
async function openHolds({ database, ledger, nodeId }: Context): Promise<number> {
  const { count } = await database.db
    .selectFrom('holds')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('node_id', '=', nodeId)
    .executeTakeFirstOrThrow()
  return ledger.heldInMemory() + Number(count)
}
