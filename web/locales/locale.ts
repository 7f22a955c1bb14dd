import type { ErrorCode } from '#shared/errors.ts'
import type { FaultCode } from '#shared/faults.ts'
import type { LogEventWords } from '#shared/log-events.ts'
import type { OptionKey } from '#shared/options.ts'
import type { en } from './en.ts'
import type { Words } from './words.ts'

interface TypeWords {
  readonly label?: string
  readonly keyHelp?: string
  readonly otherLabel?: string
  readonly otherHelp?: string
}

export type ChannelTypeWords = Readonly<Record<number, TypeWords>>
export type OptionWords = Readonly<Record<OptionKey, { readonly label: string; readonly help: string }>>

/**
 * Everything a language says: the words of the screens; templates of refusals, faults and events of the log by their code; options and
 * channel types. English has only the first: the rest stands on the rows of `shared`.
 */
export interface Locale {
  readonly words: Words<typeof en>
  readonly errors: Partial<Readonly<Record<ErrorCode, string>>>
  readonly faults: Partial<Readonly<Record<FaultCode, string>>>
  readonly logEvents: LogEventWords
  readonly fieldNames: Readonly<Record<string, string>>
  readonly options: Partial<OptionWords>
  readonly channelTypes: ChannelTypeWords
}
