import { BlockList, isIPv6 } from 'node:net'
import { type SpelledBy, shownAmount } from '#server/billing/pricing/spell-amount.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import { refuse, withFacts } from '#server/relay/refusals.ts'
import { commaList } from '#shared/comma-list.ts'
import type { Limits } from '#shared/limits.ts'
import { isAdmin } from '#shared/roles.ts'
import { tokenStatus, userStatus } from '#shared/statuses.ts'
import { type CallerRow, markExhausted, markExpired, markRevived, readCaller, readCallerOf } from './callers.store.ts'
import { chosenGroups } from './chosen-groups.ts'
import type { InboundRequest } from './inbound-request.ts'

/** Who sends a request: a token and the user it belongs to. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly email: string
  readonly tokenId: number
  readonly tokenName: string
  readonly unlimited: boolean
  /** The team whose wallet pays, and the user's role in it; 0 and '' when the user's own wallet pays. */
  readonly teamId: number
  readonly teamName: string
  readonly memberId: number
  /** The groups whose channels it reaches: those its token names, else all of its user. */
  readonly groups: readonly string[]
  readonly userGroups: readonly string[]
  /** The token's own limits. */
  readonly limits: Limits
  /** Null: any model. */
  readonly models: ReadonlySet<string> | null
  readonly isAdmin: boolean
  /** Set when the key names the channel to use. */
  readonly pinnedChannelId: number | null
}

interface Known {
  readonly row: CallerRow
  readonly caller: Caller
  readonly allowed: BlockList | null
}

export interface Callers {
  /** Synchronous when the token is in memory. */
  identify(inbound: Pick<InboundRequest, 'http' | 'url' | 'clientAddress'>): Caller | Promise<Caller>
  /** Who goes on with what was begun with a token, and sends no key; refuses like a key would be. */
  goingOn(tokenId: number, clientAddress: () => string): Promise<Caller>
  /** Marks a token that was refused for lack of quota as exhausted. */
  exhausted(caller: Caller): Promise<void>
}

const knownMax = 20_000

/** Caches tokens; an entry is dropped the moment its token or user changes. */
export function createCallers(ctx: Context): Callers {
  const known = new Map<string, Known>()
  let changes = 0
  ctx.changes.listen(({ topic, id }) => {
    if (topic === 'everything') known.clear()
    else if (topic !== 'user' && topic !== 'token' && topic !== 'team') return
    changes += 1
    if (topic === 'everything') return
    for (const [key, { row }] of known) if (row[`${topic}Id`] === id) known.delete(key)
  })

  const lookUp = async (key: string): Promise<Known> => {
    const before = changes
    const row = await readCaller(ctx.database.db, ctx.secrets.hash(key), epochSeconds(ctx))
    const entry = describe(row)
    // A row read before a change and arriving after it serves this request only, and is not cached.
    if (changes !== before) return entry
    if (known.size >= knownMax) known.clear()
    known.set(key, entry)
    return entry
  }

  const mark = async (tokenId: number, as: typeof markExpired) => {
    if (await as(ctx.database.db, tokenId)) ctx.changes.emit({ topic: 'token', id: tokenId })
  }

  const letIn = (known: Known, pin: string, clientAddress: () => string): Caller | Promise<Caller> => {
    const { row, caller, allowed } = known
    if (row.previousKeyExpires > 0 && row.previousKeyExpires <= epochSeconds(ctx)) throw refuse('keyInvalid')
    const isOver = row.expiredTime !== -1 && row.expiredTime <= epochSeconds(ctx)
    // The token was marked expired by a clock that ran ahead and has been corrected.
    if (row.tokenStatus === tokenStatus.expired && !isOver) {
      const revived = { ...known, row: { ...row, tokenStatus: tokenStatus.enabled } }
      return mark(row.tokenId, markRevived).then(() => letIn(revived, pin, clientAddress))
    }
    checkToken(ctx.options(), known)
    if (isOver) {
      return mark(row.tokenId, markExpired).then(() => {
        throw refuse('keyExpired', { name: row.tokenName })
      })
    }
    if (row.userStatus !== userStatus.activated) throw refuse('banned')
    if (allowed && !admits(allowed, clientAddress())) throw refuse('addressRefused')
    if (pin === '') return caller
    if (!isAdmin(row.role)) throw refuse('pinNotAllowed')
    return { ...caller, pinnedChannelId: Number(pin) }
  }

  return {
    identify({ http, url, clientAddress }) {
      const { key, pin } = splitKey(readKey(http, url))
      if (key === '') throw refuse('keyMissing')
      const isCurrent = ctx.changes.isCurrent()
      const entry = isCurrent ? known.get(key) : undefined
      if (entry) return letIn(entry, pin, clientAddress)
      const reading = isCurrent ? lookUp(key) : ctx.refreshOptions().then(() => lookUp(key))
      return reading.then((found) => letIn(found, pin, clientAddress))
    },
    async goingOn(tokenId, clientAddress) {
      const row = await readCallerOf(ctx.database.db, tokenId)
      return letIn(describe(row && { ...row, previousKeyExpires: 0 }), '', clientAddress)
    },
    exhausted: (caller) => mark(caller.tokenId, markExhausted),
  }
}

function describe(row: CallerRow | undefined): Known {
  if (!row || (row.teamId > 0 && row.memberId === null)) throw refuse('keyInvalid')
  const models = commaList(row.models)
  const groups = commaList(row.group)
  const userGroups = groups.length > 0 ? groups : ['default']
  return {
    row,
    allowed: row.subnet === '' ? null : allowList(commaList(row.subnet)),
    caller: {
      userId: row.userId,
      username: row.username,
      email: row.email,
      tokenId: row.tokenId,
      tokenName: row.tokenName,
      unlimited: row.unlimited === 1,
      teamId: row.teamId,
      teamName: row.teamName ?? '',
      memberId: row.memberId ?? 0,
      groups: chosenGroups(userGroups, row.tokenGroup),
      userGroups,
      limits: { rpm: row.rpm, tpm: row.tpm, parallel: row.parallel },
      models: models.length > 0 ? new Set(models) : null,
      isAdmin: isAdmin(row.role),
      pinnedChannelId: null,
    },
  }
}

const admits = (list: BlockList, address: string): boolean =>
  address !== '' && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

function allowList(ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function checkToken(options: SpelledBy, { row, caller }: Known): void {
  const { tokenStatus: status, tokenName: name } = row
  if (status === tokenStatus.exhausted) {
    const amounts = { available: shownAmount(options, 0), needed: shownAmount(options, 1) }
    throw withFacts(refuse('tokenExhausted', { token: name, ...amounts }), { caller })
  }
  if (status === tokenStatus.expired) throw refuse('keyExpired', { name })
  if (status !== tokenStatus.enabled) throw refuse('keyDisabled', { name })
}

function readKey(request: Request, url: URL): string {
  const { headers } = request
  const given = headers.get('authorization')
  const bearer = given?.startsWith('Bearer ') ? given.slice(7) : given?.replace(/^bearer\b/i, '').trim()
  // Some clients send the header even where they have nothing to put into it.
  if (bearer) return bearer
  return (
    headers.get('x-api-key') ??
    headers.get('x-goog-api-key') ??
    headers.get('api-key') ??
    keyInProtocols(headers.get('sec-websocket-protocol')) ??
    (url.search === '' ? '' : (url.searchParams.get('key') ?? ''))
  )
}

/** Browsers cannot set headers on a socket: they send the key among the subprotocols. */
const keyInProtocols = (offered: string | null): string | undefined =>
  offered
    ?.split(',')
    .map((name) => name.trim())
    .find((name) => name.startsWith('openai-insecure-api-key.'))
    ?.slice('openai-insecure-api-key.'.length)

/** The caller's key in its stored form, to keep it out of what is passed to a vendor. */
export const keyIn = ({ http, url }: Pick<InboundRequest, 'http' | 'url'>): string => splitKey(readKey(http, url)).key

function splitKey(text: string): { key: string; pin: string } {
  const trimmed = text.trim()
  const bare = trimmed.startsWith('sk-') ? trimmed.slice(3) : trimmed
  if (!bare.includes('-')) return { key: bare, pin: '' }
  // Keys taken over from another program may hold dashes themselves; they have an underscore, which ours never do.
  const pinned = /^([^-_]+)-(\d{1,15})$/.exec(bare)
  return pinned ? { key: pinned[1] ?? '', pin: pinned[2] ?? '' } : { key: bare, pin: '' }
}
