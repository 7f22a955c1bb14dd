import type { Behaviour } from '#server/testing/fake-upstream.ts'
import type { RelayScene } from '#server/testing/relay-scene.ts'
import type { Shape } from './shape.ts'

const categories = [
  'hate',
  'hate/threatening',
  'harassment',
  'harassment/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
]
const each = <Value>(value: Value) => Object.fromEntries(categories.map((name) => [name, value]))
const moderation = {
  id: 'modr-1',
  model: 'omni-moderation-latest',
  results: [
    {
      flagged: false,
      categories: each(false),
      category_scores: each(0.01),
      category_applied_input_types: each(['text']),
    },
  ],
}

const completion = (text: string, finish_reason: string | null, more: object = {}) => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1_700_000_000,
  model: 'gpt-3.5-turbo-instruct',
  choices: [{ text, index: 0, logprobs: null, finish_reason }],
  ...more,
})
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
const frame = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const completionStream = [
  completion('Hel', null),
  completion('lo', 'stop'),
  completion('', null, { choices: [], usage }),
  '[DONE]',
]
  .map(frame)
  .join('')

const pictureTokens = { text_tokens: 5, image_tokens: 0 }
const drawn = {
  created: 1_700_000_000,
  background: 'opaque',
  output_format: 'png',
  quality: 'high',
  size: '1024x1024',
  data: [{ b64_json: 'iVBORw0KGgo=' }],
  usage: {
    input_tokens: 5,
    input_tokens_details: pictureTokens,
    output_tokens: 9,
    output_tokens_details: { text_tokens: 0, image_tokens: 9 },
    total_tokens: 14,
  },
}

const seconds = { type: 'duration', seconds: 1 }
const segment = {
  id: 0,
  seek: 0,
  start: 0,
  end: 1,
  text: 'Hello',
  tokens: [1],
  temperature: 0,
  avg_logprob: -0.1,
  compression_ratio: 1,
  no_speech_prob: 0,
}
const written = (format: unknown) =>
  format === 'verbose_json'
    ? { task: 'transcribe', language: 'english', duration: 1, text: 'Hello', segments: [segment], usage: seconds }
    : { text: 'Hello', usage: seconds }

/** OpenAI beside its conversations; who asks for `broken` gets what a proxy or another server would say. */
export const workingUpstream: Behaviour = ({ path, body }) => {
  const text = JSON.stringify(body)
  if (text.includes('broken')) return Response.json({ detail: 'It is broken.' }, { status: 422 })
  if (text.includes('halted')) return new Response('<html>Bad gateway</html>', { status: 502 })
  if (path.endsWith('/moderations')) return Response.json(moderation)
  if (path.endsWith('/images/generations')) return Response.json(drawn)
  if (path.endsWith('/audio/translations')) return Response.json({ text: 'Hello' })
  if (path.endsWith('/audio/transcriptions')) return Response.json(written(body.response_format))
  if (path.endsWith('/audio/speech'))
    return new Response(new Uint8Array(10), { headers: { 'content-type': 'audio/mpeg' } })
  if (!body.stream) return Response.json(completion('Hello', 'stop', { usage }))
  return new Response(completionStream, { headers: { 'content-type': 'text/event-stream' } })
}

export const workingModels =
  'gpt-3.5-turbo-instruct,omni-moderation-latest,gpt-image-1,whisper-1,gpt-4o-transcribe,tts-1'

type Show = (name: string, shape: Shape, body: unknown) => void

/** Everything OpenAI has beside conversations and vectors, as its vendors answer it and as it is refused. */
export async function askWorking(scene: RelayScene, show: Show): Promise<void> {
  const ask = async (path: string, body: object) => (await scene.post(path, body)).json()
  const words = { model: 'gpt-3.5-turbo-instruct', prompt: 'hi', max_tokens: 9 }
  show('plain', 'completion', await ask('/v1/completions', words))
  const stream = await scene.post('/v1/completions', {
    ...words,
    stream: true,
    stream_options: { include_usage: true },
  })
  for (const [, data = ''] of (await stream.text()).matchAll(/^data: (\{.*)$/gm))
    show('a piece', 'completion', JSON.parse(data))
  show('plain', 'moderation', await ask('/v1/moderations', { input: 'hi' }))
  show('of openai', 'images', await ask('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a dot' }))
  const recorded = (fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new File([new Uint8Array(200)], 'a.wav'))
    return form
  }
  const written = { model: 'whisper-1' }
  show('plain', 'transcription', await ask('/v1/audio/transcriptions', recorded(written)))
  const verbose = recorded({ ...written, response_format: 'verbose_json' })
  show('verbose', 'transcription-verbose', await ask('/v1/audio/transcriptions', verbose))
  show('plain', 'translation', await ask('/v1/audio/translations', recorded(written)))
  for (const trouble of ['broken', 'halted']) {
    const speech = { model: 'tts-1', voice: 'alloy', input: trouble }
    show(`speech ${trouble}`, 'error', await ask('/v1/audio/speech', speech))
    const recording = recorded({ ...written, prompt: trouble })
    show(`transcription ${trouble}`, 'error', await ask('/v1/audio/transcriptions', recording))
    show(`completion ${trouble}`, 'error', await ask('/v1/completions', { ...words, prompt: trouble }))
    show(`moderation ${trouble}`, 'error', await ask('/v1/moderations', { input: trouble }))
    const picture = { model: 'gpt-image-1', prompt: trouble }
    show(`picture ${trouble}`, 'error', await ask('/v1/images/generations', picture))
  }
  show('speech of nobody', 'error', await ask('/v1/audio/speech', { model: 'none', voice: 'alloy', input: 'hi' }))
  show('no form', 'error', await ask('/v1/audio/transcriptions', { model: 'whisper-1' }))
}
