import { z } from 'zod'
import { customFault, fault } from './faults.ts'
import type { OptionSection } from './option-sections.ts'
import { quotaMax } from './quota.ts'

/** How an option is edited in the console. */
export type OptionKind =
  | 'text'
  | 'address'
  | 'number'
  | 'quota'
  | 'check'
  | 'choice'
  | 'json'
  | 'markup'
  | 'secret'
  | 'domains'

export interface Option<Value> {
  /** Text, as it is stored and sent, to the value the server uses. */
  readonly schema: z.ZodType<Value, string>
  /** In the stored text form. */
  readonly default: string
  readonly kind: OptionKind
  /** Where it stands in the settings. */
  readonly section: OptionSection
  readonly label: string
  /** One line under the field; empty where the label says it all. */
  readonly help: string
  /** Sealed at rest and never returned. */
  readonly secret: boolean
  readonly writer: 'admin' | 'root'
  readonly placeholder: string
  /** By how much an arrow key changes a number. */
  readonly step: number
  /** What a `choice` may be. */
  readonly choices: readonly string[]
}

/** Section of the settings, label, one line of help. */
export type OptionWords = readonly [section: OptionSection, label: string, help?: string]

export interface More {
  writer?: 'admin' | 'root'
  placeholder?: string
  step?: number
}

interface Source<Value> extends More {
  kind: OptionKind
  schema: z.ZodType<Value, string>
  default: string
  choices?: readonly string[]
}

export const option = <Value>([section, label, help = '']: OptionWords, source: Source<Value>): Option<Value> => ({
  schema: source.schema,
  default: source.default,
  kind: source.kind,
  section,
  label,
  help,
  secret: source.kind === 'secret',
  writer: source.writer ?? 'admin',
  placeholder: source.placeholder ?? '',
  step: source.step ?? 1,
  choices: source.choices ?? [],
})

export const bool = (fallback: boolean, words: OptionWords, more?: More) =>
  option(words, {
    kind: 'check',
    schema: z.enum(['true', 'false'], fault('switch.not')).transform((text) => text === 'true'),
    default: String(fallback),
    ...more,
  })

export const textUpTo = (max: number) => z.string().max(max, fault('text.too_long', { max }))

export const text = (words: OptionWords, more?: More & { max?: number; default?: string }) =>
  option(words, { kind: 'text', schema: textUpTo(more?.max ?? 1000).trim(), default: '', ...more })

/** Bytes; the text of an option is no book. */
export const optionBytesMax = 256 * 1024

/** Of prices: a list of 20,000 models is written into them. */
export const priceOptionBytesMax = 4 * 1024 * 1024

/** Markdown or HTML. */
export const markup = (words: OptionWords) =>
  option(words, { kind: 'markup', schema: textUpTo(optionBytesMax), default: '' })

export const secret = (words: OptionWords) =>
  option(words, { kind: 'secret', schema: textUpTo(1000), default: '', writer: 'root' })

const or = (choices: readonly string[]) => `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** One of several words; the first is the default. */
export const choice = <const Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  words: OptionWords,
  more?: More,
) =>
  option(words, {
    kind: 'choice',
    schema: z.enum(choices, fault('choice.not', { choices: or(choices) })),
    default: choices[0],
    choices,
    ...more,
  })

interface Limits {
  min: number
  max: number
  whole: boolean
}

const numberWithin = ({ min, max, whole }: Limits) =>
  z
    .string()
    .refine((value) => /^\d+(\.\d+)?$/.test(value.trim()), fault('number.negative'))
    .transform(Number)
    .refine((value) => !whole || Number.isInteger(value), fault('number.whole'))
    .refine((value) => value >= min && value <= max, fault('number.between', { min, max }))

export const number = (fallback: number, limits: Limits, words: OptionWords, more?: More) =>
  option(words, { kind: 'number', schema: numberWithin(limits), default: String(fallback), ...more })

/** An amount of quota. */
export const amount = (fallback: number, words: OptionWords) =>
  option(words, {
    kind: 'quota',
    schema: numberWithin({ min: 0, max: quotaMax, whole: true }),
    default: String(fallback),
  })

/** Web addresses lose their trailing slash. */
export const normaliseAddress = (value: string): string => value.trim().replace(/\/+$/, '')

export const address = (words: OptionWords, more?: More) =>
  option(words, {
    kind: 'address',
    schema: z
      .string()
      .transform(normaliseAddress)
      .refine((value) => value === '' || /^https?:\/\/[^\s/]+/.test(value), fault('address.scheme')),
    default: '',
    ...more,
  })

export function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** A JSON object; an empty text is an empty one. `label` is how messages name it. */
export const jsonObject = (label: string) =>
  z.string().transform((value, ctx): Record<string, unknown> => {
    const parsed = parseJson(value.trim() === '' ? '{}' : value)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>
    }
    ctx.addIssue(customFault('json.not', { label }))
    return z.NEVER
  })

/** More than this no option takes for a ratio. */
export const ratioMax = 1_000_000_000

/** A JSON object from a name to a ratio. `label` is how the specification's message names it. */
export const ratios = (label: string, words: OptionWords, fallback = '{}') =>
  option(words, {
    kind: 'json',
    schema: jsonObject(label).transform((value, ctx): Record<string, number> => {
      for (const [name, ratio] of Object.entries(value)) {
        if (typeof ratio !== 'number' || !Number.isFinite(ratio) || ratio < 0 || ratio > ratioMax) {
          ctx.addIssue(customFault('json.ratio', { label, name, max: ratioMax }))
          return z.NEVER
        }
      }
      return value as Record<string, number>
    }),
    default: fallback,
  })
