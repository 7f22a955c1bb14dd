import type pg from 'pg'
import type { Context } from '#server/context.ts'
import { askClock } from '#server/db/database-clock.ts'
import { breakOff } from '#server/db/postgres/postgres-pool.ts'
import { backendPidOf } from '#server/db/postgres/prepared.ts'
import { notifyChannel } from '#server/db/transact.ts'
import { reached } from '#server/db/unusable.ts'
import { readNews } from './news.ts'
import { keepConnection } from './node-connection.ts'

/** This node among those that share its database. */
export interface Membership {
  /** True on the one node that does what must be done once. */
  isLeader(): boolean
  leave(): Promise<void>
}

/** Arbitrary numbers that nothing else locks in this database. */
const leaderLock = [7_468_301, 1] as const

/** How long a successful heartbeat proves that no notification was missed: three beats. */
const freshForMs = 1500

/** A session silent for this long belongs to a node that is suspended or gone. */
const silentForMs = 8000

/** The database ends such a session and frees its locks; versions before 14 cannot. */
const endWhenSilent = `select set_config(name, '${silentForMs}', false) from pg_settings where name = 'idle_session_timeout'`

const pooled =
  'a pooler stands before the database, where news from other nodes are lost: set DATABASE_DIRECT_URL; until then everything is read again twice a second'

/** Behind a pooler statements may run in another backend than the one that connected: session state is lost there. */
async function reachesServer(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as answers')
  return rows[0]?.answers === backendPidOf(client)
}

/**
 * Joins the other nodes of the database: receives their changes and stands for leader. The holder of the advisory lock leads;
 * the database frees it with the connection, so a node that dies is replaced within a second or two.
 */
export async function joinNodes(
  ctx: Pick<Context, 'config' | 'database' | 'changes' | 'nodeId' | 'log' | 'followClock'>,
): Promise<Membership> {
  if (ctx.database.engine === 'sqlite') return { isLeader: () => true, leave: async () => {} }
  const { pool } = ctx.database
  let leads = false
  let provenAt = 0
  let isDirect = true
  const stand = async (client: pg.Client) => {
    const { won } = await askClock(client, ctx.followClock, `, pg_try_advisory_lock(${leaderLock.join(', ')}) as won`)
    leads = won === true
    if (leads) ctx.log.info('this node leads', { node: ctx.nodeId })
  }
  const variable = ctx.config.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const keeping = keepConnection(
    ctx.config[variable],
    {
      async opened(client) {
        client.on('notification', ({ payload }) => {
          for (const change of readNews(payload, ctx.nodeId, ctx.log)) ctx.changes.emit(change)
        })
        await client.query(`listen ${notifyChannel}`)
        isDirect = await reachesServer(client)
        if (isDirect) await client.query(endWhenSilent)
        else ctx.log.warn(pooled)
        provenAt = performance.now()
        await stand(client)
        // Notifications sent while nobody listened are not repeated.
        ctx.changes.emit({ topic: 'everything' })
        ctx.changes.renew(freshForMs)
      },
      async beat(client) {
        const askedAt = performance.now()
        await (leads ? askClock(client, ctx.followClock) : stand(client))
        provenAt = askedAt
        if (isDirect) ctx.changes.renew(freshForMs)
        else ctx.changes.emit({ topic: 'everything' })
      },
      lost(silent) {
        leads = false
        ctx.changes.renew(0)
        // Statements may take long, but a database that does not answer the shortest one is gone.
        if (silent) breakOff(pool)
      },
    },
    ctx.log,
  )
  const connection = await reached(keeping, variable)
  // After a pause this node learns only from its next heartbeat that another leads.
  const isLeader = () => leads && performance.now() - provenAt < silentForMs
  return { isLeader, leave: () => connection.stop() }
}
