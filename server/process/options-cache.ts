import type { AnyDatabase } from '#server/db/database.ts'
import { defaultValues, optionValues, readStoredOptions } from '#server/db/stored-options.ts'
import type { ChangeFeed } from '#server/lib/changes.ts'
import type { Logger } from '#server/lib/log.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import type { OptionValues } from '#shared/options.ts'

export interface OptionsCache {
  current(): OptionValues
  /** Resolves after a read that began after the call; calls that wait for the same read share it. */
  refresh(): Promise<void>
}

const againAfterMs = 1000

/** Keeps the options in memory and follows their changes. */
export async function createOptionsCache(parts: {
  database: AnyDatabase
  secrets: SecretBox
  changes: ChangeFeed
  log: Logger
}): Promise<OptionsCache> {
  let values = defaultValues()
  const read = async () => {
    values = await optionValues(await readStoredOptions(parts.database.db, parts.secrets))
  }
  // One read at a time, so that an older answer never replaces a newer one.
  let running = Promise.resolve()
  let waiting: Promise<void> | null = null
  const refresh = () => {
    waiting ??= running
      .catch(() => {})
      .then(() => {
        waiting = null
        running = read()
        return running
      })
    return waiting
  }
  await refresh()
  // A change is announced once: a read that fails has to be repeated.
  const { closed } = parts.database
  let again: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    clearTimeout(again)
    refresh().catch((cause) => {
      if (closed.aborted) return
      parts.log.error('options could not be read again', { cause })
      clearTimeout(again)
      again = setTimeout(follow, againAfterMs)
    })
  }
  closed.addEventListener('abort', () => clearTimeout(again))
  parts.changes.listen(({ topic }) => {
    if (topic === 'options' || topic === 'everything') follow()
  })
  return { current: () => values, refresh }
}
