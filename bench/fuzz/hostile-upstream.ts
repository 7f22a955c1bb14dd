import { createDice, type Dice, distorted, mutated } from './dice.ts'

const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const whole = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello', tool_calls: [] }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10, prompt_tokens_details: { cached_tokens: 1 } },
}
const text = [{ type: 'output_text', text: 'hello' }]
const usage = { input_tokens: 5, output_tokens: 5 }
const counts = { total: 1, completed: 1, failed: 0 }
const meta = { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 }

/** Whole answers of every door. */
const wholes: readonly unknown[] = [
  whole,
  {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [{ type: 'message', content: text }],
    usage,
  },
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'hello' }],
    stop_reason: 'end_turn',
    usage,
  },
  { candidates: [{ content: { parts: [{ text: 'hello' }] }, finishReason: 'STOP' }], usageMetadata: meta },
  { id: 'file-1', object: 'file', bytes: 5, purpose: 'batch', filename: 'a', status: 'processed' },
  { file: { name: 'files/1', uri: 'https://x/files/1', sizeBytes: '5', mimeType: 'text/plain' } },
  { id: 'batch_1', object: 'batch', status: 'completed', output_file_id: 'file-1', request_counts: counts },
  { id: 'msgbatch_1', type: 'message_batch', processing_status: 'ended', results_url: 'https://x/results' },
  { id: 'video_1', object: 'video', status: 'completed', model: 'm', seconds: '4', progress: 100 },
  { name: 'operations/1', done: true, response: { generatedVideos: [{ video: { uri: 'https://x' } }] } },
  { name: 'batches/1', metadata: { state: 'BATCH_STATE_SUCCEEDED' }, response: { inlinedResponses: [] } },
  { id: 'conv_1', object: 'conversation', created_at: 1, metadata: {} },
  { data: [{ embedding: [1, 2], index: 0 }], usage: { prompt_tokens: 5, total_tokens: 5 } },
  { results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 5 } },
]
const frame = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: null }],
}
const failure = {
  error: { message: 'no', type: 'invalid_request_error', code: 'bad', param: 'x', details: [{ reason: 'x' }] },
}

const types = ['application/json', 'text/event-stream', 'text/html', 'audio/mpeg', 'constructor', '']

/** Bytes an upstream may answer with, most of them wrong somewhere. */
function answer(dice: Dice): string {
  const broken = (value: unknown) => {
    const text = JSON.stringify(dice.chance(0.6) ? distorted(dice, value) : value)
    return dice.chance(0.3) ? mutated(dice, text) : text
  }
  const isStream = dice.chance(0.5)
  const events = () => Array.from({ length: dice.roll(6) }, () => `data: ${broken(frame)}\n\n`).join('')
  const body = dice.chance(0.2) ? broken(failure) : isStream ? `${events()}data: [DONE]\n\n` : broken(dice.pick(wholes))
  const status = dice.pick([200, 200, 200, 200, 204, 301, 400, 401, 404, 429, 500, 503, 599])
  const head = `HTTP/1.1 ${status} X\r\ncontent-type: ${isStream ? 'text/event-stream' : dice.pick(types)}\r\n`
  const framed = dice.chance(0.5)
    ? `${head}transfer-encoding: chunked\r\n\r\n${chunkOf(body)}0\r\n\r\n`
    : `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  return dice.chance(0.15) ? mutated(dice, framed) : framed
}

/** A server below HTTP that answers every request with something else. */
export function startHostileUpstream(seed: number): { readonly url: string; stop(): void } {
  const dice = createDice(seed)
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        const bytes = answer(dice)
        if (dice.chance(0.1)) return void socket.terminate()
        socket.write(dice.chance(0.2) ? bytes.slice(0, dice.roll(bytes.length)) : bytes)
        if (dice.chance(0.4)) socket.end()
      },
      error() {},
    },
  })
  return { url: `http://127.0.0.1:${listener.port}`, stop: () => listener.stop(true) }
}
