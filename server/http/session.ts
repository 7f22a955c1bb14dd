import { sql } from 'kysely'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { randomText } from '#server/lib/random.ts'
import { AppError } from '#shared/errors.ts'
import { userStatus } from '#shared/statuses.ts'
import type { Actor, UserCall } from './call.ts'

const sessionSeconds = 30 * 24 * 3600
const cookieName = 'session'
/** The time a session was last seen is written once a minute at most. */
const seenAgainSeconds = 60

export function readCookie(request: Request, name: string): string {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}

export function cookie(
  { config }: Pick<Context, 'config'>,
  request: Request,
  { name, value, maxAgeSeconds }: { readonly name: string; readonly value: string; readonly maxAgeSeconds: number },
): string {
  const secure = isHttps(request, config.TRUST_PROXY)
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/** Whether the browser uses https, as far as is known: a proxy's header counts only where proxies are trusted. */
function isHttps(request: Request, trustedProxies: number): boolean {
  if (new URL(request.url).protocol === 'https:') return true
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',') ?? []
  return trustedProxies > 0 && forwarded[Math.max(0, forwarded.length - trustedProxies)]?.trim() === 'https'
}

/** The address the browser used, as far as we can know. */
export const requestOrigin = ({ config }: Pick<Context, 'config'>, request: Request): string =>
  `${isHttps(request, config.TRUST_PROXY) ? 'https' : 'http'}://${new URL(request.url).host}`

/** Refuses a password that was replaced since it was checked. Nobody replaces it before the transaction ends. */
export async function requirePassword(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ role: sql<number>`role` })
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('auth.wrong_credentials')
}

interface Entrance {
  readonly device: string
  readonly address: string
  /** Of the password that was used, if any. */
  readonly passwordHash?: string | undefined
}

/** Starts a new session for a user, ends the one the request came with, and returns the cookie. */
export async function startSession(
  ctx: Context,
  request: Request,
  userId: number,
  { passwordHash, ...seen }: Entrance = { device: '', address: '' },
): Promise<string> {
  await endSession(ctx, request)
  const id = randomText(43)
  const now = epochSeconds(ctx)
  const times = { created_at: now, expires_at: now + sessionSeconds, last_seen: now }
  await ctx.database.db.transaction().execute(async (tx) => {
    if (passwordHash !== undefined) await requirePassword(tx, userId, passwordHash)
    await tx
      .insertInto('sessions')
      .values({ id_hash: ctx.secrets.hash(id), user_id: userId, ...times, ...seen })
      .execute()
  })
  return cookie(ctx, request, { name: cookieName, value: id, maxAgeSeconds: sessionSeconds })
}

/** Ends the session the request came with and returns the cookie that clears it. */
export async function endSession(ctx: Context, request: Request): Promise<string> {
  const id = readCookie(request, cookieName)
  if (id !== '') await ctx.database.db.deleteFrom('sessions').where('id_hash', '=', ctx.secrets.hash(id)).execute()
  return cookie(ctx, request, { name: cookieName, value: '', maxAgeSeconds: 0 })
}

/** After a new password: ends all sessions but the one named, unfinished logins and the access token. */
export async function revokeAccess(db: Db | Tx, userId: number, exceptHash: string | null): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (exceptHash !== null) query = query.where('id_hash', '!=', exceptHash)
  await query.execute()
  await db.deleteFrom('login_tickets').where('user_id', '=', userId).execute()
  await db.updateTable('users').set({ access_token_hash: '' }).where('id', '=', userId).execute()
}

/**
 * Refuses a call whose session or access token has ended since it began. Whoever makes a new way into an account locks the user and
 * asks this, or a request that was under way could undo what a new password had ended.
 */
export async function requireEntrance(tx: Tx, { ctx, request, actor }: UserCall<unknown>): Promise<void> {
  const session = tx
    .selectFrom('sessions')
    .select('user_id')
    .where('id_hash', '=', actor.sessionHash ?? '')
  const token = tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', actor.id)
    .where('access_token_hash', '=', ctx.secrets.hash(accessToken(request)))
  const entrance = await (actor.sessionHash === null ? token : session).executeTakeFirst()
  if (!entrance) throw new AppError('auth.required')
}

const columns = ['users.id', 'users.username', 'users.role', 'users.status'] as const

/**
 * Who makes the request: by access token, else by session cookie. Null when neither is given. A token comes first because
 * calls that carry one are not checked for their origin: a cookie must not lend them its authority.
 */
export async function identify(ctx: Context, request: Request, address: string): Promise<Actor | null> {
  const token = accessToken(request)
  return token === '' ? bySession(ctx, readCookie(request, cookieName), address) : byAccessToken(ctx, token, address)
}

async function bySession(ctx: Context, session: string, address: string): Promise<Actor | null> {
  if (session === '') return null
  const hash = ctx.secrets.hash(session)
  const row = await ctx.database.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...columns, 'sessions.last_seen'])
    .where('sessions.id_hash', '=', hash)
    .where('sessions.expires_at', '>', epochSeconds(ctx))
    .executeTakeFirst()
  if (!row) return null
  const { last_seen, ...user } = row
  const actor = admitted({ ...user, address, sessionHash: hash })
  if (last_seen < epochSeconds(ctx) - seenAgainSeconds) await markSeen(ctx, hash, address)
  return actor
}

const markSeen = (ctx: Context, hash: string, address: string) =>
  ctx.database.db
    .updateTable('sessions')
    .set({ last_seen: epochSeconds(ctx), address })
    .where('id_hash', '=', hash)
    .execute()

async function byAccessToken(ctx: Context, token: string, address: string): Promise<Actor> {
  const row = await ctx.database.db
    .selectFrom('users')
    .select(columns)
    .where('access_token_hash', '=', ctx.secrets.hash(token))
    .executeTakeFirst()
  if (!row) throw new AppError('auth.invalid_access_token')
  return admitted({ ...row, address, sessionHash: null })
}

/** Browsers add these schemes by themselves, for a proxy in front: they do not identify the caller. */
const ambientSchemes = /^(Basic|Digest|Negotiate|NTLM)\s/i

export function accessToken(request: Request): string {
  const header = request.headers.get('authorization') ?? ''
  return ambientSchemes.test(header) ? '' : header.replace(/^Bearer\s+/i, '').trim()
}

function admitted(actor: Actor): Actor {
  if (actor.status !== userStatus.activated) throw new AppError('auth.banned')
  return actor
}
