import type { Ask, JsonBody } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'

/** Which channel has which conversation, on this node. */
export interface Conversations {
  /** The channel that answered last; null when there is none, or too long ago. */
  find(conversation: RoutedConversation, forMs: number, now: number): number | null
  answered(conversation: RoutedConversation, channelId: number, now: number): void
}

/** A conversation is one token, one model and one first message. */
export interface RoutedConversation {
  readonly key: string
  /** From 0 up to 1 and always the same for the same conversation, so that nodes agree where it begins. */
  readonly point: number
}

const keptMax = 100_000
const pointsMax = 2 ** 32

export function createConversations(): Conversations {
  const places = new Map<string, { channelId: number; at: number }>()
  return {
    find({ key }, forMs, now) {
      const place = places.get(key)
      return place && now - place.at < forMs ? place.channelId : null
    },
    answered({ key }, channelId, now) {
      places.delete(key)
      places.set(key, { channelId, at: now })
      if (places.size <= keptMax) return
      const [oldest] = places.keys()
      if (oldest !== undefined) places.delete(oldest)
    },
  }
}

/** Null for requests that are no conversation. */
export function conversationOf(caller: Caller, ask: Ask): RoutedConversation | null {
  if (ask.entrance.door.operation !== 'chat' || ask.payload.kind !== 'json') return null
  const message = firstUserMessage(ask.payload.body)
  if (message === undefined) return null
  const isLong = ask.payload.text.length > tellingLength
  const key = `${caller.tokenId}\n${ask.model}\n${Bun.hash(JSON.stringify(message, isLong ? shortened : undefined)).toString(36)}`
  return { key, point: Number(BigInt(Bun.hash(key)) % BigInt(pointsMax)) / pointsMax }
}

/** Conversations differ long before this. */
const tellingLength = 64 * 1024

const shortened = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > tellingLength ? value.slice(0, tellingLength) + value.length : value

/** Wherever the dialects keep it: `messages`, Gemini's `contents`, the `input` of responses. */
function firstUserMessage({ messages, contents, input }: JsonBody): unknown {
  if (typeof input === 'string') return input
  const turns = [messages, contents, input].find(Array.isArray) as readonly unknown[] | undefined
  const turn = turns?.find((entry) => {
    const role = (entry as { role?: unknown } | null)?.role
    return role === 'user' || (role === undefined && contents !== undefined)
  }) as { content?: unknown; parts?: unknown } | undefined
  return turn?.content ?? turn?.parts
}
