import { addressWith, wholeAddress } from '#server/import/whole-address.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'

/** What becomes of a custom channel with paths of its own. */
export interface OwnPaths {
  /** The address with which ours reaches the same paths. */
  readonly address?: string
  /** Why there is none. */
  readonly doubt?: string
}

const chat = '1'

/** The tasks whose paths can be changed, by the number it gives them. */
const tasks: Readonly<Record<string, string>> = {
  [chat]: '/chat/completions',
  2: '/completions',
  3: '/embeddings',
  4: '/moderations',
  5: '/images/generations',
  6: '/images/edits',
  7: '/images/variations',
  9: '/audio/speech',
  10: '/audio/transcriptions',
  11: '/audio/translations',
  16: '/responses',
}

/** Paths that differ before the task alone are kept as an address, one of conversations alone as a whole address. */
export function ownPaths(base: string, customised: Readonly<Record<string, unknown>>): OwnPaths {
  const given = Object.entries(customised).filter(([number, path]) => number in tasks && path !== '')
  const prefixes = new Set(given.map(([number, path]) => prefixOf(String(path), tasks[number] ?? '')))
  const [prefix] = prefixes
  const [only] = given
  if (given.length === 0) return {}
  if (prefixes.size === 1 && prefix !== undefined) return { address: addressWith(base, prefix) }
  if (given.length === 1 && only?.[0] === chat && String(only[1]).startsWith('/'))
    return { address: wholeAddress(`${withoutTrailing(base, '/')}${only[1]}`) }
  return { doubt: 'its own paths have no place here' }
}

const prefixOf = (path: string, task: string): string | undefined =>
  path.startsWith('/') && path.endsWith(task) ? path.slice(0, -task.length) : undefined
