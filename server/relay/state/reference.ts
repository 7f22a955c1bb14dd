import type { StateKind } from './state.store.ts'

/** What vendors keep and cannot be made through the relay: an id of it belongs to somebody else. */
const unmade = {
  prompt: 'send its text as instructions',
  voice: "name one of the vendor's own voices",
  skill: "name one of the vendor's own skills",
  'file search store': 'send the files themselves',
  'data store': 'send the documents themselves',
  'stored file': 'send its bytes, or an http(s) address',
} as const

export type Unmade = keyof typeof unmade

export const insteadOf = (what: Unmade): string => unmade[what]

/** Something kept elsewhere that a request speaks of by its id. */
export interface Reference {
  readonly kind: StateKind
  readonly id: string
  readonly param: string
  /** What it would be, where the relay makes no such thing: no matter to a channel that is not asked with it. */
  readonly what?: Unmade
  /** Stands in what was answered before: only who answered it needs it. */
  readonly isPast?: true
}
