/** The chunks of an answer that may be waited for no longer, without losing the one that was on its way. */
export interface Leavable extends AsyncIterator<Uint8Array, undefined> {
  next(): Promise<IteratorResult<Uint8Array, undefined>>
  /** The next chunk; null once the signal has fired. */
  nextUnless(gone: AbortSignal): Promise<IteratorResult<Uint8Array, undefined> | null>
}

export function createLeavable(chunks: AsyncIterator<Uint8Array, undefined>): Leavable {
  let pending: Promise<IteratorResult<Uint8Array, undefined>> | null = null
  const next = () => {
    const coming = pending ?? chunks.next()
    pending = null
    return coming
  }
  return {
    next,
    async nextUnless(gone) {
      if (gone.aborted) return null
      const left = Promise.withResolvers<null>()
      const leaves = () => left.resolve(null)
      gone.addEventListener('abort', leaves, { once: true })
      const coming = next()
      try {
        const found = await Promise.race([coming, left.promise])
        if (found === null) pending = coming
        return found
      } finally {
        gone.removeEventListener('abort', leaves)
      }
    },
  }
}
