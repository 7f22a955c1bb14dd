import { rowsOf, type Source } from '#server/import/source/source.ts'
import { SourceGroup } from './rows.ts'

/** A user group of one-hub. */
export interface Group {
  readonly ratio: number
  readonly rpm: number
  readonly enable: boolean
}

export type Groups = ReadonlyMap<string, Group>

/** Requests of a closed group are refused. */
export const isOpen = ({ enable, rpm }: Group): boolean => enable && rpm > 0

export const isShut = (groups: Groups, symbol: string): boolean => {
  const group = groups.get(symbol)
  return group === undefined || !isOpen(group)
}

export async function readGroups(source: Source): Promise<Groups> {
  const rows = await rowsOf(source, 'user_groups', SourceGroup)
  return new Map(rows.map(({ symbol, ratio, api_rate, enable }) => [symbol, { ratio, rpm: api_rate, enable }]))
}

export function groupOptions(groups: Groups): [string, string][] {
  const json = (of: (group: Group) => unknown) =>
    JSON.stringify(Object.fromEntries([...groups].map(([symbol, group]) => [symbol, of(group)])))
  return [
    ['GroupRatio', json(({ ratio }) => ratio)],
    ['GroupLimits', json(({ rpm }) => ({ rpm: Math.max(0, rpm) }))],
  ]
}
