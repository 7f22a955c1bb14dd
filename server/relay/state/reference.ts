import type { StateKind } from './state.store.ts'

/** Things at a vendor that cannot be made through the relay, so that their ids cannot be the caller's. With what to send instead. */
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

/** Something a request refers to by its id. */
export interface Reference {
  readonly kind: StateKind
  readonly id: string
  readonly param: string
  /** Set for things that cannot be made through the relay. A channel of another dialect may still be asked, without the reference. */
  readonly what?: Unmade
  /** The reference stands in an earlier answer: only the channel that gave that answer needs it. */
  readonly isPast?: true
}
