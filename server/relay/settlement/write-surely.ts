const pauseMs = 500
const longestPauseMs = 10_000
/** Twenty minutes, about. */
const triesMost = 120

/** Writes now, or as soon as the database takes it: it may be away for a while, or its disk full. Throws when that takes too long. */
export async function writeSurely(write: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await write()
      return
    } catch (error) {
      if (tries === triesMost) throw error
      await Bun.sleep(Math.min(pauseMs * 2 ** (tries - 1), longestPauseMs))
    }
  }
}
