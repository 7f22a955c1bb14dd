import type { Message, TextPart } from './chat.ts'

type Turn = Exclude<Message, { role: 'system' | 'developer' }>

export interface Conversation {
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
}

const isTurn = (message: Message): message is Turn => message.role !== 'system' && message.role !== 'developer'

/** For formats that keep instructions apart. A conversation of nothing but instructions becomes the user's words. */
export function splitSystem(messages: readonly Message[]): Conversation {
  const turns = messages.filter(isTurn)
  const system = messages
    .flatMap((message) => (isTurn(message) ? [] : message.parts))
    .filter((part) => part.text !== '')
  if (turns.length > 0) return { system, turns }
  return { system: [], turns: [{ role: 'user', parts: system }] }
}

/** Joins neighbours of the same role, for formats whose turns alternate. Turns left empty are dropped. */
export function mergeTurns<R, T>(turns: readonly { role: R; items: readonly T[] }[]): { role: R; items: T[] }[] {
  const merged: { role: R; items: T[] }[] = []
  for (const turn of turns) {
    if (turn.items.length === 0) continue
    const last = merged.at(-1)
    if (last?.role === turn.role) for (const item of turn.items) last.items.push(item)
    else merged.push({ role: turn.role, items: [...turn.items] })
  }
  return merged
}
