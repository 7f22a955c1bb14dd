import type { SecretBox } from '#server/lib/secret-box.ts'
import { type HistoryKind, secretShown } from '#shared/api/history.ts'
import { kinds } from './kinds.ts'

/** Fields of a thing by name, as its table has them. */
export type Fields = Readonly<Record<string, unknown>>

/** One thing that was changed: created when there is no `before`, deleted when there is no `after`. */
export interface Item {
  readonly kind: HistoryKind
  readonly target: string
  readonly name: string
  readonly before: Fields | null
  readonly after: Fields | null
}

export interface StoredItem {
  readonly kind: string
  readonly target: string
  readonly name: string
  readonly before: string
  readonly after: string
  readonly sealed: string
}

export const expired = 'expired'

const only = (fields: Fields, keep: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => keep(name)))

/** The fields that differ, on both sides; null when none does. Creations and deletions keep everything. */
export function changesOf(item: Item, withCounters: boolean): Item | null {
  const { before, after } = item
  if (!before || !after) return before || after ? item : null
  const { counters, follow } = kinds[item.kind]
  const differs = (name: string): boolean => {
    const leader = follow[name]
    if (leader !== undefined) return before[leader] !== after[leader]
    return (withCounters || !counters.includes(name)) && before[name] !== after[name]
  }
  const names = new Set(Object.keys({ ...before, ...after }).filter(differs))
  if (names.size === 0) return null
  return { ...item, before: only(before, (name) => names.has(name)), after: only(after, (name) => names.has(name)) }
}

/** The part of a change that can be put back, or the other; null when there is none. Creations and deletions are one whole. */
export function partOf(item: Item, isReversible: boolean): Item | null {
  const { before, after } = item
  if (!before || !after) return isReversible ? item : null
  const { irreversible } = kinds[item.kind]
  const inPart = (name: string) => irreversible.includes(name) !== isReversible
  const part = { ...item, before: only(before, inPart), after: only(after, inPart) }
  return Object.keys(part.before).length + Object.keys(part.after).length === 0 ? null : part
}

/** Secrets go into one sealed text, the rest is kept as it is. */
export function storeItem(secrets: SecretBox, item: Item): StoredItem {
  const { irreversible, secrets: secretsOf } = kinds[item.kind]
  const secret = secretsOf(item.target)
  const isSecret = (name: string) => Object.hasOwn(secret, name)
  const plain = (fields: Fields | null) =>
    fields === null ? '' : JSON.stringify(only(fields, (name) => !isSecret(name)))
  const kept = ([name, value]: [string, unknown]) =>
    irreversible.includes(name) && value !== '' ? [name, secretShown] : [name, value]
  const hidden = (fields: Fields | null): Fields =>
    Object.fromEntries(Object.entries(only(fields ?? {}, isSecret)).map(kept))
  const both = { before: hidden(item.before), after: hidden(item.after) }
  const any = Object.keys({ ...both.before, ...both.after }).length > 0
  return {
    kind: item.kind,
    target: item.target,
    name: item.name,
    before: plain(item.before),
    after: plain(item.after),
    sealed: any ? secrets.seal(JSON.stringify(both)) : '',
  }
}

/** The whole item again; without its secrets when their time is over. */
export function openItem(secrets: SecretBox, stored: StoredItem): Item {
  const both: { before: Fields; after: Fields } =
    stored.sealed === '' || stored.sealed === expired
      ? { before: {}, after: {} }
      : JSON.parse(secrets.open(stored.sealed))
  const side = (plain: string, hidden: Fields): Fields | null =>
    plain === '' ? null : { ...(JSON.parse(plain) as Fields), ...hidden }
  return {
    kind: stored.kind as HistoryKind,
    target: stored.target,
    name: stored.name,
    before: side(stored.before, both.before),
    after: side(stored.after, both.after),
  }
}

/** What a person may see of one side: no secret, no counter. */
export function showFields({ kind, target }: Item, fields: Fields | null, withCounters: boolean): Fields | null {
  if (fields === null) return null
  const { counters, booleans, secrets } = kinds[kind]
  const secret = secrets(target)
  const shown = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (Object.hasOwn(secret, name)) {
      const label = secret[name]
      return label && value !== '' ? [[label, secretShown]] : []
    }
    if (!withCounters && counters.includes(name)) return []
    return [[name, booleans.includes(name) ? value === 1 || value === true : value]]
  })
  return Object.fromEntries(shown)
}
