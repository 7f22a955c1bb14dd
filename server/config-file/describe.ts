import { objectOf, parseJson } from '#server/lib/json.ts'
import type { ConfigChange } from '#shared/api/config.ts'
import { secretShown } from '#shared/api/history.ts'
import { commaList } from '#shared/comma-list.ts'
import { listFields } from './written-texts.ts'

const excerptMax = 120
const partsMax = 50

/** A change as one line: of long values only what differs. */
export function describeChange({ kind, name, before, after }: ConfigChange): string {
  if (before === null) return `+ ${kind} ${name}`
  if (after === null) return `- ${kind} ${name}`
  const fields = Object.keys({ ...before, ...after }).map((field) =>
    before[field] === secretShown || after[field] === secretShown
      ? `${field} changed`
      : `${field} ${difference(field, spell(before[field]), spell(after[field]))}`,
  )
  return `~ ${kind} ${name}: ${fields.join(', ')}`
}

const spell = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function difference(field: string, before: string, after: string): string {
  if (Math.max(before.length, after.length) <= excerptMax) return `${before} → ${after}`
  const parts = listFields.includes(field) ? listParts(commaList(before), commaList(after)) : objectParts(before, after)
  if (parts.length === 0) return textPart(before, after)
  const more = parts.length - partsMax
  return [...parts.slice(0, partsMax), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

const listParts = (before: readonly string[], after: readonly string[]): string[] => {
  const [was, is] = [new Set(before), new Set(after)]
  return [...[...is.difference(was)].map((name) => `+ ${name}`), ...[...was.difference(is)].map((name) => `- ${name}`)]
}

/** None where one of them is no object. */
function objectParts(before: string, after: string): string[] {
  const [was, is] = [objectOf(parseJson(before)), objectOf(parseJson(after))]
  if (!was || !is) return []
  return Object.keys({ ...was, ...is }).flatMap((name) => {
    const [old, now] = [spell(was[name]), spell(is[name])]
    if (old === now) return []
    if (!Object.hasOwn(was, name)) return [`+ ${name} ${excerptAt(now, 0)}`]
    return [Object.hasOwn(is, name) ? `${name} ${textPart(old, now)}` : `- ${name}`]
  })
}

/** The texts from shortly before their first difference on. */
function textPart(before: string, after: string): string {
  if (Math.max(before.length, after.length) <= excerptMax) return `${before} → ${after}`
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const from = Math.max(0, same - excerptMax / 4)
  return `${excerptAt(before, from)} → ${excerptAt(after, from)}`
}

const excerptAt = (text: string, from: number): string =>
  `${from > 0 ? '…' : ''}${text.slice(from, from + excerptMax)}${text.length > from + excerptMax ? '…' : ''}`
