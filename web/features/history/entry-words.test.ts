import { expect, test } from 'bun:test'
import type { HistoryEntry, HistoryKind } from '#shared/api/history.ts'
import { formatTime } from '#web/lib/format.ts'
import { translator } from '#web/lib/translate.ts'
import { en } from '#web/locales/en.ts'
import { zh } from '#web/locales/zh.ts'
import { fieldName, nameOf, summaryOf, whyNot } from './entry-words.ts'
import { spellField } from './field-values.ts'

const english = translator(en, en, 'en')

const refused = {
  why_not: 'Changed since: status, base_url of channel berlin west, by root at 2026-11-18 05:21:29; undo that first',
  why_not_code: 'history.changed_since',
  why_not_params: {
    thing: 'channel berlin west',
    fields: 'status, base_url',
    who: 'root',
    time: '2026-11-18 05:21:29',
  },
} as unknown as HistoryEntry

test('why an entry cannot be undone names the thing and its fields as the screen does, at local time', () => {
  const local = formatTime(Date.UTC(2026, 10, 18, 5, 21, 29) / 1000)
  const words = whyNot(english, refused)
  expect(words).toContain('state, base url of channel berlin west')
  expect(words).toContain(local)
})

test('a channel type is called by its name', () => {
  const display = { inCurrency: true, quotaPerUnit: 500_000 }
  expect(spellField(english, display, 'channel', { field: 'type', value: 1 })).toBe('OpenAI')
  expect(spellField(english, display, 'channel', { field: 'type', value: 9999 })).toBe('9999')
})

test('roles, periods and who is meant are words, in the language of the reader', () => {
  const display = { inCurrency: true, quotaPerUnit: 500_000 }
  const chinese = translator(zh.words, en, 'zh-CN')
  const spelt = (t: typeof english, kind: HistoryKind, field: string, value: unknown) =>
    spellField(t, display, kind, { field, value })
  expect(spelt(english, 'user', 'role', 10)).toBe('admin')
  expect(spelt(chinese, 'user', 'role', 10)).toBe('管理员')
  expect(spelt(chinese, 'team', 'role', 'manager')).toBe('管理者')
  expect(spelt(chinese, 'token', 'budget_period', 'week')).toBe('每周')
  expect(spelt(english, 'redemption', 'redeemed_by', 0)).toBe('')
  expect(spelt(english, 'redemption', 'redeemed_by', 7)).toBe('#7')
  expect(fieldName(chinese, 'password')).toBe('密码')
})

test('cleared rows of the log are named by their age', () => {
  const entry = { kind: 'log', target: '1700000000', name: '', count: 1 } as unknown as HistoryEntry
  expect(nameOf(english, entry)).toBe(`older than ${formatTime(1_700_000_000)}`)
})

test('a part of a price that is new, or is gone, is said with its amount too', () => {
  const entry = {
    kind: 'price',
    count: 1,
    before: { input_usd: 1, output_usd: null, cache_read_usd: 0.1 },
    after: { input_usd: 1, output_usd: 3, cache_read_usd: null },
  } as unknown as HistoryEntry
  const words = summaryOf(english, { inCurrency: true, quotaPerUnit: 500_000 }, entry)
  expect(words).toContain('output (empty) → $3.00')
  expect(words).toContain('cached input $0.10 → (empty)')
})

test('a price says in dollars what it was and what it became', () => {
  const entry = {
    kind: 'price',
    count: 1,
    before: { input_usd: 0.15, output_usd: 0.6, audio_ratio: null },
    after: { input_usd: 0.3, output_usd: 1.2, audio_ratio: null },
  } as unknown as HistoryEntry
  const display = { inCurrency: true, quotaPerUnit: 500_000 }
  expect(summaryOf(english, display, entry)).toBe('input $0.15 → $0.30, output $0.60 → $1.20')
})
