/**
 * A stream whose `pull` runs once and writes as it goes, with nothing between it and the client's socket; `write`
 * returns a promise when the client must catch up first. The DOM's types do not know this kind.
 */
export const directStream = (
  source: Omit<Bun.DirectUnderlyingSource, 'type'>,
  strategy?: QueuingStrategy<Uint8Array>,
): ReadableStream<Uint8Array> =>
  new ReadableStream({ ...source, type: 'direct' } as unknown as UnderlyingSource<Uint8Array>, strategy)
