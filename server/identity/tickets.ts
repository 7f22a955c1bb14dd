import { sql } from 'kysely'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { requirePassword } from '#server/http/session.ts'
import { randomText } from '#server/lib/random.ts'
import { AppError } from '#shared/errors.ts'

const ticketSeconds = 300
const triesAllowed = 5

type Needs = Pick<Context, 'database' | 'secrets' | 'clock'>

interface Proven {
  readonly id: number
  readonly password_hash: string
}

/** Proves that the password was right, until the second factor is given. */
export async function openTicket(ctx: Needs, { id, password_hash }: Proven): Promise<string> {
  const ticket = randomText(43)
  const expires_at = epochSeconds(ctx) + ticketSeconds
  await ctx.database.db.transaction().execute(async (tx) => {
    await requirePassword(tx, id, password_hash)
    const fresh = { expires_at, tries_left: triesAllowed, challenge: '' }
    await tx
      .insertInto('login_tickets')
      .values({ ticket_hash: ctx.secrets.hash(ticket), user_id: id, ...fresh })
      .execute()
  })
  return ticket
}

export interface Ticket {
  readonly hash: string
  readonly userId: number
  readonly challenge: string
}

/** Looks a ticket up and, with `costs`, takes one of its tries, so that parallel guesses are counted too. */
export async function readTicket(ctx: Needs, ticket: string, costs: boolean): Promise<Ticket> {
  const hash = ctx.secrets.hash(ticket)
  const row = await ctx.database.db
    .updateTable('login_tickets')
    .set({ tries_left: sql<number>`tries_left - ${sql.lit(costs ? 1 : 0)}` })
    .where('ticket_hash', '=', hash)
    .where('expires_at', '>', epochSeconds(ctx))
    .where('tries_left', '>', 0)
    .returning(['user_id', 'challenge'])
    .executeTakeFirst()
  if (!row) throw new AppError('auth.ticket')
  return { hash, userId: row.user_id, challenge: row.challenge }
}

export const setChallenge = ({ database }: Needs, { hash }: Ticket, challenge: string) =>
  database.db.updateTable('login_tickets').set({ challenge }).where('ticket_hash', '=', hash).execute()

/** Uses the ticket up; of two who come with it at once, one gets in. */
export async function takeTicket({ database }: Needs, { hash }: Ticket): Promise<void> {
  const taken = await database.db.deleteFrom('login_tickets').where('ticket_hash', '=', hash).executeTakeFirst()
  if (taken.numDeletedRows === 0n) throw new AppError('auth.ticket')
}
