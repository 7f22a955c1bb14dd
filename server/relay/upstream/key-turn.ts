import type { RelayContext } from '#server/relay/relay-context.ts'
import { isKeysFault, type KeyFailure, mayBeKeysFault } from '#server/relay/routing/key-pools.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'

/** The keys of a pool that one request goes through. */
export interface KeyTurn {
  /** The next key to try; null when none is left. */
  next(): string | null
  /** Returns whether another key is worth trying. */
  failed(failure: KeyFailure): boolean
  succeeded(): void
}

/** How many keys of one pool a request may find dead. */
const keysMax = 20

/** After this many keys refused without a reason, the request is taken to be the cause. */
const doubtsMax = 3

/** Begins with the key the channel was given, if it was given one. */
export function takeTurn({ ctx, keys }: RelayContext, channel: RoutedChannel, given: string | null = null): KeyTurn {
  const tried = new Set<string>()
  const doubted: { readonly key: string; readonly failure: KeyFailure }[] = []
  let current: string | null = given
  if (given !== null) tried.add(given)
  return {
    next() {
      current = tried.size < keysMax ? keys.next(channel, tried, ctx.clock()) : null
      if (current !== null) tried.add(current)
      return current
    },
    failed(failure) {
      if (current === null) return false
      if (isKeysFault(failure.fault)) keys.rest(channel, current, failure, ctx.clock())
      else if (mayBeKeysFault(failure.fault)) doubted.push({ key: current, failure })
      else return false
      return doubted.length < doubtsMax
    },
    succeeded() {
      if (current !== null) keys.succeeded(channel, current)
      // Another key succeeded: the refusal was about the key, not about the request.
      for (const { key, failure } of doubted) keys.rest(channel, key, failure, ctx.clock())
    },
  }
}

/** The channel with the first of its keys that does not rest, for questions that are no client's; with its first when all of them do. */
export function withAwakeKey({ ctx, keys }: RelayContext, channel: RoutedChannel): RoutedChannel {
  const now = ctx.clock()
  const awake = channel.keys.find((key) => !keys.isResting(channel, key, now))
  return awake === undefined ? channel : { ...channel, key: awake }
}
