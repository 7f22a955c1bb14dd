import { expect, test } from 'bun:test'
import { createFullChannels } from './full-channels.ts'

const by = { kind: 'channel', limit: 'rpm', value: 3, waitMs: 1000 } as const

test('a channel that was full counts no longer than its limit lasts, whether or not anybody asks for it', () => {
  const full = createFullChannels()
  expect(full.isCalm(0)).toBe(true)
  full.remember(1, by, 0)
  full.remember(2, { ...by, waitMs: 5000 }, 0)
  expect(full.isCalm(999)).toBe(false)
  expect(full.isCalm(1000)).toBe(false)
  expect(full.isCalm(5000)).toBe(true)
})
