import type { AssistantPart } from './chat.ts'

/**
 * Providers sign the reasoning they return and refuse a signature that is not theirs. Inside a conversation every signature
 * carries the dialect it came from, so that a client which moves to another model does not send one provider's proof to the next.
 */
const origins = ['anthropic-messages', 'gemini', 'openai-chat', 'openai-responses'] as const
export type Origin = (typeof origins)[number]

/** Marks the signature Gemini puts on a call, in formats where only reasoning can carry one. */
const callMark = 'gemini-call:'

/** Whether a proof carries our mark: its client may give it back to a provider that never made it. */
export function isSealed(text: string): boolean {
  return text.startsWith(callMark) || origins.some((origin) => text.startsWith(`${origin}:`))
}

/** Marks what a provider sent. */
export function seal(origin: Origin, raw: string): string {
  return `${origin}:${raw}`
}

/** What to send a provider: its own proof, and nothing of another's. */
export function unseal(origin: Origin, sealed: string | undefined): string | undefined {
  return sealed?.startsWith(`${origin}:`) ? sealed.slice(origin.length + 1) : undefined
}

/** What a client of this dialect is shown: the bare proof if the dialect is its origin, else the sealed one. */
export function toClient(origin: Origin, sealed: string): string {
  const own = unseal(origin, sealed)
  return own === undefined || isSealed(own) ? sealed : own
}

/** What a client of this dialect gives back. */
export function fromClient(origin: Origin, text: string): string {
  return isSealed(text) ? text : seal(origin, text)
}

/** Carries a call's signature as the signature of a thought without words, right before the call. */
export function sealCall(signature: string): string {
  return callMark + signature
}

/** Gives calls back the signatures that wordless thoughts carried for them. */
export function restoreCallSignatures(parts: readonly AssistantPart[]): AssistantPart[] {
  const restored: AssistantPart[] = []
  let waiting: string | undefined
  for (const part of parts) {
    if (part.type === 'reasoning' && part.signature?.startsWith(callMark)) {
      waiting = part.signature.slice(callMark.length)
    } else if (part.type === 'tool-call' && waiting !== undefined) {
      restored.push({ ...part, signature: waiting })
      waiting = undefined
    } else restored.push(part)
  }
  return restored
}
