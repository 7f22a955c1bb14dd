import { expect, test } from 'bun:test'
import type { HistoryEntry } from '#shared/api/history.ts'
import { formatTime } from '#web/lib/format.ts'
import { translator } from '#web/lib/translate.ts'
import { en } from '#web/locales/en.ts'
import { spellField, whyNot } from './entry-words.ts'

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
