const decoder = new TextDecoder()

/** Bytes that are complete, as text. */
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes)
