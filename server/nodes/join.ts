import type pg from 'pg'
import type { Context } from '#server/context.ts'
import { changeChannel } from '#server/db/transact.ts'
import { readNews } from './news.ts'
import { keepConnection } from './node-connection.ts'

/** This node among those that share its database. */
export interface Membership {
  /** True on the one node that does what must be done once. */
  isLeader(): boolean
  leave(): Promise<void>
}

/** Any two numbers nobody else locks in this database. */
const leaderLock = [7_468_301, 1] as const

/**
 * Joins the other nodes of the database: hears what they change and stands for leader. Whoever holds the advisory lock leads;
 * the database frees it with the connection, so a node that dies is followed within a second or two.
 */
export async function joinNodes(
  ctx: Pick<Context, 'config' | 'database' | 'changes' | 'nodeId' | 'log'>,
): Promise<Membership> {
  if (ctx.database.engine === 'sqlite') return { isLeader: () => true, leave: async () => {} }
  let leads = false
  const stand = async (client: pg.Client) => {
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as won', [...leaderLock])
    leads = rows[0]?.won === true
    if (leads) ctx.log.info('this node leads', { node: ctx.nodeId })
  }
  const connection = await keepConnection(
    ctx.config.DATABASE_DIRECT_URL || ctx.config.DATABASE_URL,
    {
      async opened(client) {
        client.on('notification', ({ payload }) => {
          for (const change of readNews(payload, ctx.nodeId, ctx.log)) ctx.changes.emit(change)
        })
        await client.query(`listen ${changeChannel}`)
        await stand(client)
        // What was said while nobody listened is not said again.
        ctx.changes.emit({ topic: 'everything' })
      },
      async beat(client) {
        if (leads) await client.query('select 1')
        else await stand(client)
      },
      lost() {
        leads = false
      },
    },
    ctx.log,
  )
  return { isLeader: () => leads, leave: () => connection.stop() }
}
