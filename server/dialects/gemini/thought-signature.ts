import { fromClient, seal, toClient } from '#server/dialects/signature.ts'

/**
 * Signatures are bytes in this format, written as base64, and some clients decode them. A proof of another origin is therefore
 * wrapped once more on its way to such a client.
 */
const wrapMark = 'sealed '

export function signatureToClient(sealed: string): string {
  const shown = toClient('gemini', sealed)
  return shown === sealed ? Buffer.from(wrapMark + sealed).toString('base64') : shown
}

export function signatureFromClient(text: string): string {
  const unwrapped = Buffer.from(text, 'base64').toString('utf8')
  return unwrapped.startsWith(wrapMark) ? fromClient('gemini', unwrapped.slice(wrapMark.length)) : seal('gemini', text)
}
