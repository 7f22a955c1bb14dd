import type { ChatFault } from '#server/dialects/chat.ts'

/** Shorter parts of a key would take ordinary words with them. */
const partLeast = 6

/** A fault in which nobody can read the channel's key, whole or in its parts. */
export function withoutKey(fault: ChatFault, key: string): ChatFault {
  const secrets = [key, ...key.split('|')].filter((part) => part.length >= partLeast)
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), fault.message)
  return message === fault.message ? fault : { ...fault, message }
}
