import type { Context } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { memoize } from '#server/lib/memoize.ts'
import { lastsUntil, restFirstMs, restLongestMs } from './breaker.ts'
import { consequencesOf, retryAfterMs } from './fault-consequences.ts'
import { forgetKeyState, type KeyState, readKeyStates, writeKeyState } from './key-pools.store.ts'
import { redactedFault } from './redacted-fault.ts'
import type { RoutedChannel } from './routing-table.ts'

/** Which key of a pool goes next. A key that fails for its credentials or quota rests alone. */
export interface KeyPools {
  isResting(channel: RoutedChannel, key: string, now: number): boolean
  allResting(channel: RoutedChannel, now: number): boolean
  /** No key rests. */
  isCalm(): boolean
  /** When the first of its keys is back, in milliseconds; 0 when not all of them rest. */
  restingUntil(channel: RoutedChannel, now: number): number
  /** The next healthy key that was not tried; when all rest, the one whose rest ends first. Null when none is left. */
  next(channel: RoutedChannel, tried: ReadonlySet<string>, now: number): string | null
  /** The key is to blame, and not the channel. */
  rest(channel: RoutedChannel, key: string, failure: KeyFailure, now: number): void
  succeeded(channel: RoutedChannel, key: string): void
  /** Every key was refused for its credentials, or was switched off. */
  areDead(channel: RoutedChannel): boolean
}

/** How a vendor refused, and when it wants to be asked again. */
export interface KeyFailure {
  readonly fault: ChatFault
  readonly retryAfter: string | null
}

/** The credentials or the quota of a key. */
export const isKeysFault = (fault: ChatFault): boolean => fault.status === 429 || consequencesOf(fault).disable

/** A 403 without a reason: some vendors answer so for a blocked key, others for a model or a request they refuse. */
export const mayBeKeysFault = (fault: ChatFault): boolean => fault.status === 403 && fault.code !== 'content_filter'

const restFirstSeconds = restFirstMs / 1000
const restLongestSeconds = restLongestMs / 1000
const poolsKnownMax = 100

/** Imported keys that were switched off are stored with an end beyond any rest. */
const isSwitchedOff = ({ restSeconds }: KeyState): boolean => restSeconds === 0

const isResting = (state: KeyState, now: number): boolean => {
  const endMs = state.restingUntil * 1000
  return isSwitchedOff(state) ? endMs > now : lastsUntil(endMs, now)
}

const idOf = (channelId: number, key: string): string => `${channelId}\n${key}`

/** Reads the states of all keys; null when a later reading has begun: an older answer never replaces a newer one. */
function createStateReader({ database, secrets }: Context): () => Promise<Map<string, KeyState> | null> {
  // A pool has hundreds of keys, and is read again whenever one of them fails or recovers.
  const keysByHash = memoize(poolsKnownMax, (sealed: string) => {
    const keys = secrets.open(sealed).split('\n')
    return new Map(keys.map((key) => [secrets.hash(key), key]))
  })
  let newest: Promise<unknown> | null = null
  return async () => {
    const reading = readKeyStates(database.db)
    newest = reading
    const { states, pools } = await reading
    if (newest !== reading) return null
    const keysOf = new Map(pools.map(({ id, keySealed }) => [id, keysByHash(keySealed)]))
    return new Map(
      states.flatMap((state) => {
        const key = keysOf.get(state.channelId)?.get(state.keyHash)
        return key === undefined ? [] : [[idOf(state.channelId, key), state] as const]
      }),
    )
  }
}

/** Rests are shared by all nodes through the database; each node has its own turn of keys. */
export function createKeyPools(ctx: Context): KeyPools {
  let states = new Map<string, KeyState>()
  /** Keys whose last failure was about their credentials, as far as this node knows. */
  const dead = new Set<string>()
  const turns = new Map<number, number>()
  const rests = (channel: RoutedChannel, key: string, now: number): boolean => {
    const state = states.size > 0 ? states.get(idOf(channel.id, key)) : undefined
    return state !== undefined && isResting(state, now)
  }
  const allRest = (channel: RoutedChannel, now: number): boolean =>
    channel.keys.every((key) => rests(channel, key, now))
  const store = (work: Parameters<typeof transact<void>>[1]) => {
    transact(ctx, work).catch((cause) => ctx.log.error('the state of a key could not be kept', { cause }))
  }
  const readStates = createStateReader(ctx)
  const load = async () => {
    const read = await readStates()
    if (!read) return
    states = read
    for (const id of dead) if (!states.has(id)) dead.delete(id)
  }
  const follow = () => {
    load().catch((cause) => ctx.log.error('the states of keys could not be read', { cause }))
  }
  follow()
  ctx.changes.listen(({ topic }) => {
    if (topic === 'keys' || topic === 'everything') follow()
  })
  return {
    isCalm: () => states.size === 0,
    isResting: rests,
    allResting: (channel, now) => states.size > 0 && allRest(channel, now),
    restingUntil(channel, now) {
      // A single key is asked whether it rests or not.
      if (channel.keys.length < 2 || !allRest(channel, now)) return 0
      return Math.min(...channel.keys.map((key) => (states.get(idOf(channel.id, key))?.restingUntil ?? 0) * 1000))
    },
    next(channel, tried, now) {
      const { keys } = channel
      const left = tried.size === 0 ? keys : keys.filter((key) => !tried.has(key))
      const turn = turns.get(channel.id) ?? 0
      for (let step = 0; step < keys.length; step++) {
        const key = keys[(turn + step) % keys.length]
        if (key === undefined || !left.includes(key) || rests(channel, key, now)) continue
        turns.set(channel.id, (turn + step + 1) % keys.length)
        return key
      }
      if (tried.size > 0) return null
      const until = (key: string) => states.get(idOf(channel.id, key))?.restingUntil ?? 0
      return left.toSorted((a, b) => until(a) - until(b))[0] ?? null
    },
    rest(channel, key, { fault, retryAfter }, now) {
      const id = idOf(channel.id, key)
      if (consequencesOf(fault).disable) dead.add(id)
      else dead.delete(id)
      const before = states.get(id)
      if (before && isResting(before, now)) return
      const asked = Math.ceil(retryAfterMs(retryAfter, now) / 1000)
      const seconds = Math.min(restLongestSeconds, before ? before.restSeconds * 2 : restFirstSeconds)
      const state: KeyState = {
        channelId: channel.id,
        keyHash: ctx.secrets.hash(key),
        restingUntil: Math.ceil(now / 1000) + Math.min(restLongestSeconds, Math.max(seconds, asked)),
        restSeconds: seconds,
        lastFault: redactedFault(fault),
      }
      states.set(id, state)
      store(async (tx, announce) => {
        await writeKeyState(tx, state)
        announce({ topic: 'keys', id: channel.id })
      })
    },
    succeeded(channel, key) {
      if (states.size === 0) return
      const now = ctx.clock()
      // A key is sent while it rests only when all of them do: this request began before, and says nothing against the rest.
      if (rests(channel, key, now) && !allRest(channel, now)) return
      if (!states.delete(idOf(channel.id, key))) return
      store(async (tx, announce) => {
        await forgetKeyState(tx, channel.id, ctx.secrets.hash(key))
        announce({ topic: 'keys', id: channel.id })
      })
    },
    areDead: (channel) =>
      channel.keys.every((key) => {
        const id = idOf(channel.id, key)
        const state = states.get(id)
        return state !== undefined && (isSwitchedOff(state) || dead.has(id))
      }),
  }
}
