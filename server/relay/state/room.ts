import { epochSeconds } from '#server/context.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type FreeKind, sizeOfState } from './state.store.ts'

/** Limits for things that cost nothing to make, for each user and kind. */
const thingsMost = 100_000
const megabytesMost = 256

const words: Readonly<Record<FreeKind, string>> = {
  conversation: 'conversations',
  upload: 'uploads',
  file: 'files',
  'anthropic-file': 'files',
  'gemini-file': 'files',
}

/** Refuses when the user's limit would be exceeded; `added` is how many are about to be made. */
export async function requireRoom(
  { ctx }: Pick<RelayContext, 'ctx'>,
  userId: number,
  kind: FreeKind,
  added = 1,
): Promise<void> {
  const { things, bytes } = await sizeOfState(ctx.database.db, userId, kind, epochSeconds(ctx))
  if (things + added > thingsMost || bytes > megabytesMost * 1024 * 1024)
    throw refuse('roomFull', { what: words[kind], things: thingsMost, megabytes: megabytesMost })
}
