import { isDeepStrictEqual } from 'node:util'
import { parseJson } from '#server/lib/json.ts'
import { checkedText, missingNeeds } from '#server/resources/options/options.service.ts'
import { isOptionKey, type OptionKey, options } from '#shared/options.ts'
import { badFile, type ConfigFile } from './file.ts'
import { kept, readSecret, type Variables } from './references.ts'
import { shownObject } from './shown-object.ts'

export type StoredOptions = Readonly<Partial<Record<OptionKey, string>>>

/** Without those that no form would take, and with which the server does not work: for them the default holds. */
export const inEffect = (stored: StoredOptions): StoredOptions =>
  Object.fromEntries(Object.entries(stored).filter(([key, text]) => isTaken(key as OptionKey, text)))

const isTaken = (key: OptionKey, text: string): boolean => options[key].schema.safeParse(text).success

/** Options that have a section of their own. */
const ofSection = { groups: 'GroupRatio', limits: 'GroupLimits', fallbacks: 'ModelFallbacks' } as const
const prices: readonly OptionKey[] = [
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CacheWriteRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
  'RequestPrice',
]

const isElsewhere = (key: OptionKey): boolean => prices.includes(key) || Object.values<string>(ofSection).includes(key)

const general = (Object.keys(options) as OptionKey[]).filter((key) => !isElsewhere(key))

const textOf = (stored: StoredOptions, key: OptionKey): string => stored[key] ?? options[key].default

const isSame = (key: OptionKey, one: string, other: string): boolean =>
  one === other || (options[key].kind === 'json' && isDeepStrictEqual(parseJson(one || '{}'), parseJson(other || '{}')))

function shown(key: OptionKey, text: string): unknown {
  const { kind } = options[key]
  if (kind === 'secret') return kept
  if (kind === 'check') return text === 'true'
  if (kind === 'number' || kind === 'quota') return Number(text)
  return kind === 'json' ? shownObject(text) : text
}

/** Options as they stand in a file: those that differ from their default. */
export function exportOptions(
  stored: StoredOptions,
): Pick<ConfigFile, 'options' | 'groups' | 'prices' | 'limits' | 'fallbacks'> {
  const differing = (keys: readonly OptionKey[]) =>
    Object.fromEntries(
      keys
        .filter((key) => !isSame(key, textOf(stored, key), options[key].default))
        .map((key) => [key, shown(key, textOf(stored, key))]),
    )
  const whole = (key: OptionKey) => shownObject(textOf(stored, key)) as Record<string, unknown> | string
  return {
    options: differing(general),
    groups: whole(ofSection.groups),
    prices: differing(prices) as ConfigFile['prices'],
    limits: whole(ofSection.limits),
    fallbacks: whole(ofSection.fallbacks),
  }
}

/** The value each option gets from the sections of a file. Options of absent sections are left out. */
export function wantedOptions(file: ConfigFile, stored: StoredOptions, variables: Variables): Map<OptionKey, string> {
  const wanted = new Map<OptionKey, string>()
  const take = (section: string, given: Readonly<Record<string, unknown>>, keys: readonly OptionKey[]) => {
    const unknown = Object.keys(given).find((key) => !isOptionKey(key) || !keys.includes(key))
    if (unknown !== undefined) throw badFile(`${section}.${unknown}: there is no such option in this section`)
    for (const key of keys) {
      const text =
        key in given ? textFrom(key, { section, given: given[key], stored, variables }) : options[key].default
      wanted.set(key, isSame(key, text, textOf(stored, key)) ? textOf(stored, key) : text)
    }
  }
  if (file.options) take('options', file.options, general)
  if (file.prices) take('prices', file.prices, prices)
  for (const [section, key] of Object.entries(ofSection) as [keyof typeof ofSection, OptionKey][]) {
    const given = file[section]
    if (given) take(section, { [key]: given }, [key])
  }
  requireNeeds(wanted, stored)
  return wanted
}

interface GivenOption {
  readonly section: string
  readonly given: unknown
  readonly stored: StoredOptions
  readonly variables: Variables
}

function textFrom(key: OptionKey, { section, given, stored, variables }: GivenOption): string {
  const where = `${section}.${key}`
  if (options[key].secret) {
    const secret = readSecret(given, where, variables)
    return secret === undefined ? textOf(stored, key) : checkedText(key, secret)
  }
  if (options[key].kind === 'json')
    return checkedText(key, typeof given === 'string' ? given : JSON.stringify(given ?? {}))
  if (given !== null && typeof given === 'object') throw badFile(`${where}: must be one value`)
  return checkedText(key, String(given ?? ''))
}

function requireNeeds(wanted: ReadonlyMap<OptionKey, string>, stored: StoredOptions): void {
  const then = { ...stored, ...Object.fromEntries(wanted) }
  for (const [key, value] of wanted) {
    const missing = value === 'true' ? missingNeeds(key, then) : []
    if (missing.length > 0) throw badFile(`options.${key}: needs ${missing.join(' and ')}`)
  }
}
