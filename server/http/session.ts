import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { randomText } from '#server/lib/random.ts'
import { AppError } from '#shared/errors.ts'
import { userStatus } from '#shared/roles.ts'
import type { Actor } from './call.ts'

export const sessionSeconds = 30 * 24 * 3600
const cookieName = 'session'

export function readCookie(request: Request, name: string): string {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}

export function cookie(request: Request, name: string, value: string, maxAgeSeconds: number): string {
  const secure = new URL(request.url).protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https'
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Starts a session for a user and answers its cookie. */
export async function startSession(ctx: Context, request: Request, userId: number): Promise<string> {
  const id = randomText(43)
  const now = epochSeconds(ctx)
  await ctx.database.db
    .insertInto('sessions')
    .values({ id_hash: ctx.secrets.hash(id), user_id: userId, created_at: now, expires_at: now + sessionSeconds })
    .execute()
  return cookie(request, cookieName, id, sessionSeconds)
}

/** Ends the session the request came with and answers the cookie that clears it. */
export async function endSession(ctx: Context, request: Request): Promise<string> {
  const id = readCookie(request, cookieName)
  if (id !== '') await ctx.database.db.deleteFrom('sessions').where('id_hash', '=', ctx.secrets.hash(id)).execute()
  return cookie(request, cookieName, '', 0)
}

/** Ends all sessions of a user, but for one. */
export async function endOtherSessions(db: Db | Tx, userId: number, exceptHash: string | null): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (exceptHash !== null) query = query.where('id_hash', '!=', exceptHash)
  await query.execute()
}

const columns = ['users.id', 'users.username', 'users.role', 'users.status'] as const

/** Who makes the request: by session cookie, else by access token. Null when neither is given. */
export async function identify(ctx: Context, request: Request): Promise<Actor | null> {
  const session = readCookie(request, cookieName)
  if (session !== '') {
    const hash = ctx.secrets.hash(session)
    const row = await ctx.database.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(columns)
      .where('sessions.id_hash', '=', hash)
      .where('sessions.expires_at', '>', epochSeconds(ctx))
      .executeTakeFirst()
    if (row) return admitted({ ...row, sessionHash: hash })
  }
  const token = accessToken(request)
  if (token === '') return null
  const row = await ctx.database.db
    .selectFrom('users')
    .select(columns)
    .where('access_token_hash', '=', ctx.secrets.hash(token))
    .executeTakeFirst()
  if (!row) throw new AppError('auth.invalid_access_token')
  return admitted({ ...row, sessionHash: null })
}

export const accessToken = (request: Request): string =>
  (request.headers.get('authorization') ?? '').replace(/^Bearer\s+/i, '').trim()

function admitted(actor: Actor): Actor {
  if (actor.status !== userStatus.activated) throw new AppError('auth.banned')
  return actor
}
