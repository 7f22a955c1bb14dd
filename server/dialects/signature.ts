/**
 * Providers sign the reasoning they return and refuse a signature that is not theirs. Inside a conversation every signature
 * carries the dialect it came from, so that a client which moves to another model does not send one provider's proof to the next.
 */
const origins = ['anthropic-messages', 'gemini', 'openai-chat', 'openai-responses'] as const
export type Origin = (typeof origins)[number]

function isSealed(text: string): boolean {
  return origins.some((origin) => text.startsWith(`${origin}:`))
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
