import type { HistoryKind } from '#shared/api/history.ts'
import { isOptionKey, options } from '#shared/options.ts'

/** What is known of the fields of one kind of thing. */
export interface KindFacts {
  /** Fields that are kept sealed, and the name under which "changed" is shown; null is not shown at all. */
  secrets(target: string): Readonly<Record<string, string | null>>
  /** Fields that change only together with another: two seals of one text differ. */
  readonly follow: Readonly<Record<string, string>>
  /** Fields that change by themselves: no part of a change, but a deleted thing comes back with them. */
  readonly counters: readonly string[]
  /** Numbers that mean yes or no. */
  readonly booleans: readonly string[]
  /** A field that is put back only while these others are as they were then. */
  readonly bound: Readonly<Record<string, readonly string[]>>
  /** Secret fields that are never put back: a change of them is an entry of its own, and their values are not kept. */
  readonly irreversible: readonly string[]
}

const facts = (some: Partial<KindFacts> & { secret?: Readonly<Record<string, string | null>> } = {}): KindFacts => ({
  secrets: some.secrets ?? (() => some.secret ?? {}),
  follow: some.follow ?? {},
  counters: ['id', ...(some.counters ?? [])],
  booleans: some.booleans ?? [],
  bound: some.bound ?? {},
  irreversible: some.irreversible ?? [],
})

/** What a budget counts by itself. */
const budgetCounters = ['budget_used', 'budget_held', 'budget_from', 'budget_to']

const sealedKey = { secret: { key_hash: 'key', key_sealed: null }, follow: { key_sealed: 'key_hash' } }

/** Every kind of thing the history knows. A new column that is secret or counts by itself is named here, all others follow. */
export const kinds: Readonly<Record<HistoryKind, KindFacts>> = {
  channel: facts({
    ...sealedKey,
    secret: { ...sealedKey.secret, proxy_sealed: 'proxy', headers: 'headers' },
    counters: [
      'response_time',
      'test_time',
      'test_fault',
      'last_error',
      'last_error_time',
      'balance',
      'balance_updated_time',
      'used_quota',
      'created_time',
    ],
    booleans: ['pool'],
    // A key is sent only where it was entered for.
    bound: {
      key_hash: ['type', 'base_url', 'proxy_sealed'],
      type: ['key_hash'],
      base_url: ['key_hash'],
      proxy_sealed: ['key_hash'],
    },
  }),
  token: facts({
    ...sealedKey,
    secret: { ...sealedKey.secret, previous_key_hash: null },
    counters: ['accessed_time', 'remain_quota', 'used_quota', 'created_time', ...budgetCounters],
    booleans: ['unlimited_quota'],
  }),
  redemption: facts({
    secret: { key: 'key', key_sealed: null },
    follow: { key_sealed: 'key' },
    counters: ['created_time'],
  }),
  user: facts({
    secret: { password_hash: 'password', access_token_hash: null, name_key: null },
    follow: { name_key: 'username' },
    irreversible: ['password_hash'],
    counters: ['quota', 'used_quota', 'request_count', 'created_time', ...budgetCounters],
  }),
  option: facts({
    secrets(key): Record<string, string> {
      return isOptionKey(key) && options[key].secret ? { value: 'value' } : {}
    },
  }),
  team: facts({ counters: ['quota', 'used_quota', 'request_count', 'created_time', ...budgetCounters] }),
  price: facts(),
  log: facts(),
  config: facts(),
}
