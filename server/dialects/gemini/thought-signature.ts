import type { ChatEvent } from '#server/dialects/chat.ts'
import { fromClient, tag, toClient } from '#server/dialects/signature.ts'

/**
 * Signatures are bytes in this format, written as base64, and some clients decode them. A proof of another origin is therefore
 * wrapped once more on its way to such a client.
 */
const wrapMark = 'tagged '

/** Thinking nobody but its maker can read travels as a proof too: the format has no place of its own for it. */
const redactedMark = 'redacted '

type Proof = Extract<ChatEvent, { type: 'reasoning-signature' | 'reasoning-redacted' }>

export function signatureToClient(tagged: string): string {
  const shown = toClient('gemini', tagged)
  return shown === tagged ? Buffer.from(wrapMark + tagged).toString('base64') : shown
}

export function redactedToClient(tagged: string): string {
  return Buffer.from(wrapMark + redactedMark + tagged).toString('base64')
}

export function proofFromClient(text: string): Proof {
  const unwrapped = Buffer.from(text, 'base64').toString('utf8')
  if (!unwrapped.startsWith(wrapMark)) return proofFromProvider(text)
  const wrapped = unwrapped.slice(wrapMark.length)
  if (wrapped.startsWith(redactedMark)) return { type: 'reasoning-redacted', data: wrapped.slice(redactedMark.length) }
  return { type: 'reasoning-signature', signature: fromClient('gemini', wrapped) }
}

export const proofFromProvider = (text: string): Proof => ({
  type: 'reasoning-signature',
  signature: tag('gemini', text),
})
