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
export function isTagged(text: string): boolean {
  return text.startsWith(callMark) || origins.some((origin) => text.startsWith(`${origin}:`))
}

/** Marks what a provider sent. */
export function tag(origin: Origin, raw: string): string {
  return `${origin}:${raw}`
}

/** What to send a provider: its own proof, and nothing of another's. */
export function untag(origin: Origin, tagged: string | undefined): string | undefined {
  return tagged?.startsWith(`${origin}:`) ? tagged.slice(origin.length + 1) : undefined
}

/** What a client of this dialect is shown: the bare proof if the dialect is its origin, else the tagged one. */
export function toClient(origin: Origin, tagged: string): string {
  const own = untag(origin, tagged)
  return own === undefined || isTagged(own) ? tagged : own
}

/** What a client of this dialect gives back. */
export function fromClient(origin: Origin, text: string): string {
  return isTagged(text) ? text : tag(origin, text)
}

/** Carries a call's signature as the signature of a thought without words, right before the call. */
export function tagCall(signature: string): string {
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
