import { type Behaviour, doneFrame, eventStream } from './fake-upstream.ts'
import { mp3, ogg, wav } from './recordings.ts'

export const jsonAnswer =
  (body: unknown): Behaviour =>
  () =>
    Response.json(body)
export const pictureList = (n: number) => ({
  created: 1,
  data: Array.from({ length: n }, () => ({ url: 'https://x/y.png' })),
})

export const recording = (fields: Record<string, string>, bytes: Uint8Array = new Uint8Array(4000)) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([bytes.slice()], 'a.wav'))
  return form
}

const picture = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', new File([new Uint8Array(100)], 'a.png'))
  return form
}

/** A request of another operation and what it must cost. */
export interface OperationCharge {
  readonly says: string
  readonly path: string
  /** The path the upstream is asked at, where it differs. */
  readonly sentTo?: string
  readonly model: string
  readonly body: () => unknown
  readonly upstream: Behaviour
  readonly options?: Record<string, string>
  readonly charge: number
  readonly tokens?: readonly [number, number]
}

/** 500,000 quota are one dollar. */
export const operationCharges: readonly OperationCharge[] = [
  {
    says: 'two pictures at the price of their size',
    path: '/v1/images/generations',
    model: 'dall-e-2',
    body: () => ({ model: 'dall-e-2', prompt: 'a cat', n: 2, size: '512x512' }),
    upstream: jsonAnswer(pictureList(2)),
    // 2 × $0.018
    charge: 18_000,
  },
  {
    says: 'a picture at the price of its quality',
    path: '/v1/images/generations',
    model: 'dall-e-3',
    body: () => ({ model: 'dall-e-3', prompt: 'a cat', size: '1024x1792', quality: 'hd' }),
    upstream: jsonAnswer(pictureList(1)),
    charge: 60_000,
  },
  {
    says: 'only the pictures that came',
    path: '/v1/images/generations',
    model: 'dall-e-2',
    body: () => ({ model: 'dall-e-2', prompt: 'a cat', n: 4 }),
    upstream: jsonAnswer(pictureList(3)),
    charge: 30_000,
  },
  {
    says: 'a picture of a model that reports tokens, at its token prices',
    path: '/v1/images/generations',
    model: 'gpt-image-1',
    body: () => ({ model: 'gpt-image-1', prompt: 'a cat' }),
    upstream: jsonAnswer({
      ...pictureList(1),
      usage: {
        input_tokens: 50,
        output_tokens: 1000,
        total_tokens: 1050,
        input_tokens_details: { text_tokens: 10, image_tokens: 40 },
      },
    }),
    // 10 × 2.5 + 40 × 5 + 1000 × 20
    charge: 20_225,
    tokens: [50, 1000],
  },
  {
    says: 'an edit of a picture',
    path: '/v1/images/edits',
    model: 'dall-e-2',
    body: () => picture({ model: 'dall-e-2', prompt: 'a hat', n: '2', size: '256x256' }),
    upstream: jsonAnswer(pictureList(2)),
    charge: 16_000,
  },
  {
    says: 'variations of a picture, with the usual model when none is named',
    path: '/v1/images/variations',
    model: 'dall-e-2',
    body: () => picture({}),
    upstream: jsonAnswer(pictureList(1)),
    charge: 10_000,
  },
  {
    says: 'speech by character, whatever alphabet',
    path: '/v1/audio/speech',
    model: 'tts-1',
    body: () => ({ model: 'tts-1', voice: 'alloy', input: 'grüße 👋🏽 你好' }),
    upstream: () => new Response(new Uint8Array(5000), { headers: { 'content-type': 'audio/mpeg' } }),
    // 11 characters × 7.5
    charge: 83,
  },
  {
    says: 'speech with instructions, which are input where the vendor takes tokens',
    path: '/v1/audio/speech',
    model: 'gpt-4o-mini-tts',
    body: () => ({ model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'hello', instructions: 'kindly '.repeat(498) }),
    upstream: () => new Response(new Uint8Array(5000), { headers: { 'content-type': 'audio/mpeg' } }),
    // 5 characters × 7.5, and 500 tokens × 0.3
    charge: 188,
  },
  {
    says: 'a transcript by the seconds the provider reports',
    path: '/v1/audio/transcriptions',
    model: 'whisper-1',
    body: () => recording({ model: 'whisper-1' }),
    upstream: jsonAnswer({ text: 'hello there', usage: { type: 'duration', seconds: 7 } }),
    charge: 350,
  },
  {
    says: 'a transcript by the duration in its details',
    path: '/v1/audio/transcriptions',
    model: 'whisper-1',
    body: () => recording({ model: 'whisper-1', response_format: 'verbose_json' }),
    upstream: jsonAnswer({ text: 'hello there', duration: 3.5 }),
    charge: 175,
  },
  {
    says: 'a transcript by the length of its recording, however little was said',
    path: '/v1/audio/transcriptions',
    model: 'whisper-1',
    body: () => recording({ model: 'whisper-1' }, wav(21)),
    upstream: jsonAnswer({ text: 'OK' }),
    charge: 1050,
  },
  {
    says: 'a transcript by its length though tokens are reported, where the model is sold by the second',
    path: '/v1/audio/transcriptions',
    model: 'whisper-1',
    body: () => recording({ model: 'whisper-1' }, ogg(4)),
    upstream: jsonAnswer({ text: 'OK', usage: { type: 'tokens', input_tokens: 1, output_tokens: 1, total_tokens: 2 } }),
    charge: 200,
    tokens: [1, 1],
  },
  {
    says: 'a streamed picture by the report at the end of its long last line',
    path: '/v1/images/generations',
    model: 'gpt-image-1',
    body: () => ({ model: 'gpt-image-1', prompt: 'a cat', stream: true }),
    upstream: eventStream(
      `event: image_generation.completed\ndata: {"type":"image_generation.completed","b64_json":"${'A'.repeat(200_000)}","usage":{"input_tokens":50,"output_tokens":1000,"total_tokens":1050,"input_tokens_details":{"text_tokens":10,"image_tokens":40}}}\n\n`,
    ),
    charge: 20_225,
    tokens: [50, 1000],
  },
  {
    says: 'a transcript by tokens where the model reports them',
    path: '/v1/audio/transcriptions',
    model: 'gpt-4o-transcribe',
    body: () => recording({ model: 'gpt-4o-transcribe' }),
    upstream: jsonAnswer({
      text: 'hello',
      usage: { type: 'tokens', input_tokens: 100, output_tokens: 10, input_token_details: { audio_tokens: 100 } },
    }),
    // 100 audio × 3 + 10 × 5
    charge: 350,
    tokens: [100, 10],
  },
  {
    says: 'a translation as plain text, by the length of its recording',
    path: '/v1/audio/translations',
    model: 'whisper-1',
    body: () => recording({ model: 'whisper-1', response_format: 'text' }, mp3(2.4)),
    upstream: () => new Response('one two three four five\n', { headers: { 'content-type': 'text/plain' } }),
    charge: 120,
  },
  {
    says: 'embeddings by their report',
    path: '/v1/embeddings',
    model: 'text-embedding-3-small',
    body: () => ({ model: 'text-embedding-3-small', input: 'hello' }),
    upstream: jsonAnswer({
      object: 'list',
      data: [{ embedding: [0.1] }],
      usage: { prompt_tokens: 1000, total_tokens: 1000 },
    }),
    charge: 10,
    tokens: [1000, 0],
  },
  {
    says: 'embeddings without a report, counted',
    path: '/v1/embeddings',
    model: 'gpt-4o',
    body: () => ({ model: 'gpt-4o', input: ['hello', 'hello hello'] }),
    upstream: jsonAnswer({ object: 'list', data: [{ embedding: [0.1] }] }),
    charge: 3,
    tokens: [3, 0],
  },
  {
    says: 'texts given as token ids, one for each',
    path: '/v1/embeddings',
    model: 'gpt-4o',
    body: () => ({ model: 'gpt-4o', input: [[15339, 1917], [7]] }),
    upstream: jsonAnswer({ object: 'list', data: [{ embedding: [0.1] }] }),
    charge: 3,
    tokens: [3, 0],
  },
  {
    says: 'a ranking by its report',
    path: '/v1/rerank',
    model: 'ranker',
    options: { ModelRatio: '{"ranker": 2}' },
    body: () => ({ model: 'ranker', query: 'hello', documents: ['a', 'b'] }),
    upstream: jsonAnswer({ results: [{ index: 0, relevance_score: 0.9 }], usage: { total_tokens: 25 } }),
    charge: 50,
    tokens: [25, 0],
  },
  {
    says: 'a ranking at the newer address by its report',
    path: '/v2/rerank',
    sentTo: '/v1/rerank',
    model: 'ranker',
    options: { ModelRatio: '{"ranker": 2}' },
    body: () => ({ model: 'ranker', query: 'hello', documents: ['a', 'b'], top_n: 1 }),
    upstream: jsonAnswer({ results: [{ index: 0, relevance_score: 0.9 }], usage: { total_tokens: 25 } }),
    charge: 50,
    tokens: [25, 0],
  },
  {
    says: 'a ranking without a report: the query and all documents are counted',
    path: '/v1/rerank',
    model: 'ranker',
    options: { ModelRatio: '{"ranker": 2}' },
    body: () => ({ model: 'ranker', query: 'hello', documents: ['hello', { text: 'hello hello' }] }),
    upstream: jsonAnswer({ results: [{ index: 0, relevance_score: 0.9 }] }),
    charge: 8,
    tokens: [4, 0],
  },
  {
    says: 'a ranking without a report: what documents say under other names is counted too',
    path: '/v1/rerank',
    model: 'ranker',
    options: { ModelRatio: '{"ranker": 2}' },
    body: () => ({
      model: 'ranker',
      query: 'hello',
      documents: [
        { title: 'hello', body: { lead: 'hello' } },
        { text: 'hello', image: 'aGVsbG8gaGVsbG8=' },
      ],
    }),
    upstream: jsonAnswer({ results: [{ index: 0, relevance_score: 0.9 }] }),
    charge: 8,
    tokens: [4, 0],
  },
  {
    says: 'an old completion by its report',
    path: '/v1/completions',
    model: 'gpt-3.5-turbo-instruct',
    body: () => ({ model: 'gpt-3.5-turbo-instruct', prompt: 'hello', max_tokens: 20 }),
    upstream: jsonAnswer({
      choices: [{ text: 'hello', finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    }),
    // 100 × 0.75 + 10 × 1
    charge: 85,
    tokens: [100, 10],
  },
  {
    says: 'an old completion without a report, counted',
    path: '/v1/completions',
    model: 'gpt-4o',
    body: () => ({ model: 'gpt-4o', prompt: 'hello' }),
    upstream: jsonAnswer({ choices: [{ text: ' hello hello', finish_reason: 'stop' }] }),
    charge: 9,
    tokens: [1, 2],
  },
  {
    says: 'a streamed old completion',
    path: '/v1/completions',
    model: 'gpt-4o',
    body: () => ({ model: 'gpt-4o', prompt: 'hello', stream: true }),
    upstream: eventStream(
      'data: {"choices":[{"text":"hel","finish_reason":null}]}\n\n',
      'data: {"choices":[{"text":"lo","finish_reason":"stop"}]}\n\n',
      'data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5}}\n\n',
      doneFrame,
    ),
    charge: 30,
    tokens: [10, 5],
  },
]
