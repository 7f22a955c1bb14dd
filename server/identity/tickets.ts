import { sql } from 'kysely'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { randomText } from '#server/lib/random.ts'
import { AppError } from '#shared/errors.ts'

const ticketSeconds = 300
const triesAllowed = 5

type Needs = Pick<Context, 'database' | 'secrets' | 'clock'>

/** Stands for a password that was right, until the second factor has come. */
export async function openTicket(ctx: Needs, userId: number): Promise<string> {
  const ticket = randomText(43)
  await ctx.database.db
    .insertInto('login_tickets')
    .values({
      ticket_hash: ctx.secrets.hash(ticket),
      user_id: userId,
      expires_at: epochSeconds(ctx) + ticketSeconds,
      tries_left: triesAllowed,
      challenge: '',
    })
    .execute()
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
