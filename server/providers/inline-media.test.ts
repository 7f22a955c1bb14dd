import { expect, test } from 'bun:test'
import type { ChatRequest } from '#server/dialects/chat.ts'
import { inlineMedia } from './inline-media.ts'
import type { Tools } from './provider.ts'

const asking = (count: number): ChatRequest => ({
  model: 'm',
  stream: false,
  includeUsage: false,
  messages: [
    {
      role: 'user',
      parts: Array.from({ length: count }, (_, at) => ({ type: 'image', url: `https://pictures.example/${at}` })),
    },
  ],
})

/** Counts how many are fetched, and how many at once. */
function counting(bytes: number) {
  const seen = { fetched: 0, running: 0, most: 0 }
  const tools: Tools = {
    fetch: () => Promise.reject(new Error('nothing else is fetched')),
    now: Date.now,
    signal: new AbortController().signal,
    async fetchBytes() {
      seen.fetched += 1
      seen.running += 1
      seen.most = Math.max(seen.most, seen.running)
      await new Promise(setImmediate)
      seen.running -= 1
      return `data:image/png;base64,${'A'.repeat((bytes * 4) / 3)}`
    },
  }
  return { seen, tools }
}

test('files by address are fetched four at a time', async () => {
  const { seen, tools } = counting(30)
  const { messages } = await inlineMedia(asking(32), tools)
  expect(JSON.stringify(messages)).not.toContain('https:')
  expect(seen).toMatchObject({ fetched: 32, most: 4 })
})

test('more than 32 are refused before any is fetched', async () => {
  const { seen, tools } = counting(30)
  await expect(inlineMedia(asking(33), tools)).rejects.toThrow('At most 32')
  expect(seen.fetched).toBe(0)
})

test('more than 64 MB together are refused, and the rest is not fetched', async () => {
  const { seen, tools } = counting(15 * 1024 * 1024)
  await expect(inlineMedia(asking(32), tools)).rejects.toThrow('64 MB')
  expect(seen.fetched).toBeLessThan(12)
})

test('after one that cannot be fetched the rest is not fetched', async () => {
  const { seen, tools } = counting(30)
  const refusing = { ...tools, fetchBytes: (url: string) => tools.fetchBytes(url).then(() => Promise.reject('gone')) }
  await expect(inlineMedia(asking(32), refusing)).rejects.toBe('gone')
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
  expect(seen.fetched).toBeLessThanOrEqual(8)
})

test('one file counts as often as the request names it: so often its bytes would be sent', async () => {
  const { seen, tools } = counting(6 * 1024 * 1024)
  const named = (times: number): ChatRequest => {
    const request = asking(1)
    return { ...request, messages: Array.from({ length: times }, () => request.messages).flat() }
  }
  expect((await inlineMedia(named(10), tools)).messages).toHaveLength(10)
  await expect(inlineMedia(named(11), tools)).rejects.toThrow('64 MB')
  expect(seen.fetched).toBe(2)
})
