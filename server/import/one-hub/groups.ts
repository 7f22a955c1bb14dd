import { rowsOf, type Source } from '#server/import/source/source.ts'
import { SourceGroup } from './rows.ts'

/** A user group of one-hub; nobody of a group that is closed gets an answer. */
interface Group {
  readonly ratio: number
  readonly rpm: number
  readonly isOpen: boolean
}

export type Groups = ReadonlyMap<string, Group>

export async function readGroups(source: Source): Promise<Groups> {
  const rows = await rowsOf(source, 'user_groups', SourceGroup)
  return new Map(
    rows.map(({ symbol, ratio, api_rate, enable }) => [
      symbol,
      { ratio, rpm: api_rate, isOpen: enable && api_rate > 0 },
    ]),
  )
}

export function groupOptions(groups: Groups): [string, string][] {
  const json = (of: (group: Group) => unknown) =>
    JSON.stringify(Object.fromEntries([...groups].map(([symbol, group]) => [symbol, of(group)])))
  return [
    ['GroupRatio', json(({ ratio }) => ratio)],
    ['GroupLimits', json(({ rpm }) => ({ rpm: Math.max(0, rpm) }))],
  ]
}
