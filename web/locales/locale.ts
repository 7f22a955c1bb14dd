import type { ErrorCode } from '#shared/errors.ts'
import type { FaultCode } from '#shared/faults.ts'
import type { en } from './en.ts'
import type { Words } from './words.ts'

interface TypeWords {
  readonly label?: string
  readonly keyHelp?: string
  readonly otherLabel?: string
  readonly otherHelp?: string
}

export type ChannelTypeWords = Readonly<Record<number, TypeWords>>

/** Everything a language says: the words of the screens, and templates of refusals and faults by their code. */
export interface Locale {
  readonly words: Words<typeof en>
  readonly errors: Readonly<Record<ErrorCode, string>>
  readonly faults: Readonly<Record<FaultCode, string>>
  readonly channelTypes: ChannelTypeWords
}
