import type { en } from '#web/locales/en.ts'
import type { Words } from '#web/locales/words.ts'

type Source = typeof en
export type Params = Readonly<Record<string, unknown>>

/** `names_one` and `names_other` are asked for as `names`. */
type Plain<Key extends string> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key

type Name<T> = keyof T & (string | number)

/** Every path to a text, like `states.role.user`. */
type TextPath<T> = { [Key in Name<T>]: T[Key] extends string ? Plain<`${Key}`> : `${Key}.${TextPath<T[Key]>}` }[Name<T>]

/** Every path to a table of texts, like `states.token`. */
type TablePath<T> = {
  [Key in Name<T>]: T[Key] extends string ? never : `${Key}` | `${Key}.${TablePath<T[Key]>}`
}[Name<T>]

type At<T, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<T[Head], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never

export interface TFunction {
  (key: TextPath<Source>, params?: Params): string
  <Path extends TablePath<Source>>(key: Path, options: { returnObjects: true }): Words<At<Source, Path>>
}

type Node = string | undefined | { readonly [name: string]: Node }

const nodeAt = (words: Node, path: readonly string[]): Node =>
  path.reduce<Node>((node, name) => (typeof node === 'object' ? node[name] : undefined), words)

const fill = (template: string, params: Params): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))

/** How a language says a key: its plural form where there is a count, English where it lacks the words. */
export function translator(words: Words<Source>, english: Source, tag: string): TFunction {
  const plural = new Intl.PluralRules(tag)
  const find = (key: string, count: unknown): Node => {
    // Also languages without a singular may say it otherwise where there is only one.
    const form = count === 1 ? 'one' : plural.select(Number(count))
    const names = typeof count === 'number' ? [`${key}_${form}`, `${key}_other`, key] : [key]
    for (const source of [words, english] as Node[]) {
      for (const name of names) {
        const found = nodeAt(source, name.split('.'))
        if (found !== undefined) return found
      }
    }
    return undefined
  }
  const t = (key: string, params: Params = {}) => {
    const found = find(key, params.count)
    return typeof found === 'string' ? fill(found, params) : (found ?? key)
  }
  return t as TFunction
}
