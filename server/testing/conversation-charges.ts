import {
  type Behaviour,
  chatAnswer,
  chatStream,
  deltaFrame,
  doneFrame,
  eventStream,
  finishFrame,
} from './fake-upstream.ts'

const usage = { prompt_tokens: 10, completion_tokens: 5 }

/** A conversation and what it must cost. */
export interface ConversationCharge {
  readonly says: string
  readonly upstream: Behaviour
  readonly body?: Record<string, unknown>
  readonly options?: Record<string, string>
  readonly charge: number
  readonly tokens: readonly [input: number, output: number]
}

/** The prompt `hi` is 8 tokens with its wrapping, `hello` is 1; a token costs 1 in and 4 out. */
export const conversationCharges: readonly ConversationCharge[] = [
  { says: 'a plain answer', upstream: chatAnswer('hello', usage), charge: 30, tokens: [10, 5] },
  {
    says: 'a streamed answer',
    upstream: chatStream(['he', 'llo'], usage),
    body: { stream: true },
    charge: 30,
    tokens: [10, 5],
  },
  {
    says: 'a plain answer without a report, counted',
    upstream: chatAnswer('hello', null),
    charge: 12,
    tokens: [8, 1],
  },
  {
    says: 'a streamed answer without a report, counted',
    upstream: chatStream(['hel', 'lo'], null),
    body: { stream: true },
    charge: 12,
    tokens: [8, 1],
  },
  {
    says: 'a plain answer without a report, estimated',
    upstream: chatAnswer('hello', null),
    options: { ApproximateTokenEnabled: 'true' },
    charge: 17,
    tokens: [9, 2],
  },
  {
    says: 'a streamed answer without a report, estimated',
    upstream: chatStream(['hel', 'lo'], null),
    body: { stream: true },
    options: { ApproximateTokenEnabled: 'true' },
    charge: 20,
    tokens: [12, 2],
  },
  {
    says: 'a report of zeros, which is none',
    upstream: chatAnswer('hello', { prompt_tokens: 0, completion_tokens: 0 }),
    charge: 12,
    tokens: [8, 1],
  },
  {
    says: 'cached input at its own ratio',
    upstream: chatAnswer('hello', { ...usage, prompt_tokens_details: { cached_tokens: 8 } }),
    options: { CacheRatio: '{"gpt-4o": 0.5}' },
    charge: 26,
    tokens: [10, 5],
  },
  {
    says: 'cached input in a stream',
    upstream: chatStream(['hello'], { ...usage, prompt_tokens_details: { cached_tokens: 8 } }),
    body: { stream: true },
    options: { CacheRatio: '{"gpt-4o": 0.5}' },
    charge: 26,
    tokens: [10, 5],
  },
  {
    says: 'writes to the cache at their own ratio, rounded up once',
    upstream: chatAnswer('hello', { ...usage, prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 5 } }),
    options: { CacheRatio: '{"gpt-4o": 0.5}', CacheWriteRatio: '{"gpt-4o": 1.25}' },
    // 3 plain + 2 × 0.5 + 5 × 1.25 + 5 × 4 = 30.25
    charge: 31,
    tokens: [10, 5],
  },
  {
    says: 'reasoning inside the reported output, once',
    upstream: chatAnswer('hello', { ...usage, completion_tokens_details: { reasoning_tokens: 3 } }),
    charge: 30,
    tokens: [10, 5],
  },
  {
    says: 'audio tokens at their own ratios',
    upstream: chatAnswer('hello', {
      ...usage,
      prompt_tokens_details: { audio_tokens: 4 },
      completion_tokens_details: { audio_tokens: 2 },
    }),
    options: { AudioRatio: '{"gpt-4o": 10}', AudioCompletionRatio: '{"gpt-4o": 2}' },
    // 6 + 4 × 10 + 3 × 4 + 2 × 10 × 2 = 98
    charge: 98,
    tokens: [10, 5],
  },
  {
    says: 'several answers to one question',
    upstream: chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 15 }, { choices: 3 }),
    body: { n: 3 },
    charge: 70,
    tokens: [10, 15],
  },
  {
    says: 'several answers without a report',
    upstream: chatAnswer('hello ', null, { choices: 3 }),
    body: { n: 3 },
    // hello hello hello and the space at the end
    charge: 24,
    tokens: [8, 4],
  },
  {
    says: 'several parts with a picture and no report',
    upstream: chatAnswer('hello', null),
    body: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          ],
        },
      ],
    },
    charge: 97,
    tokens: [93, 1],
  },
  {
    says: 'a report that comes with the last choice',
    upstream: eventStream(
      deltaFrame('hello'),
      finishFrame().replace('"choices"', '"usage":{"prompt_tokens":10,"completion_tokens":5},"choices"'),
      doneFrame,
    ),
    body: { stream: true },
    charge: 30,
    tokens: [10, 5],
  },
  {
    says: 'numbers that are no whole numbers, rounded up',
    upstream: chatAnswer('hello', { prompt_tokens: 9.5, completion_tokens: 4.2 }),
    charge: 30,
    tokens: [10, 5],
  },
]
