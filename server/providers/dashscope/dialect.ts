import type { ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { type FaultKind, faultEvents, faultOfKind, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { createChunkReader } from '#server/dialects/openai-chat/stream-decode.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'
import { clamp } from '#server/lib/clamp.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { dataUrl } from '#server/lib/network/data-url.ts'

/** First match wins. */
const faultPatterns: readonly (readonly [RegExp, FaultKind])[] = [
  [/^InvalidApiKey|^invalid_api_key/, 'credentials'],
  [/^Arrearage/, 'unpaid'],
  [/inspection/i, 'filtered'],
  [/^(InvalidParameter|BadRequest)/, 'invalid'],
  [/^AccessDenied\.Unpurchased/, 'barred'],
  [/^AccessDenied/, 'forbidden'],
  [/^(ModelNotFound|model_not_found|NotFound)/, 'notFound'],
  [/^insufficient_quota/, 'quota'],
  [/^Throttling/, 'rate'],
  [/^InternalError/, 'internal'],
]

export function dashscopeFault(code: string, message: string, status = 500): ChatFault {
  const kind = faultPatterns.find(([pattern]) => pattern.test(code))?.[1]
  return kind ? faultOfKind(kind, message, code) : faultOfStatus(status, message, code)
}

function blockOf(value: unknown): Json[] {
  const part = objectOf(value) ?? {}
  const image = textOf(objectOf(part.image_url)?.url)
  const audio = objectOf(part.input_audio)
  if (image !== undefined) return [{ image }]
  if (audio) return [{ audio: dataUrl(`audio/${textOf(audio.format) ?? 'wav'}`, textOf(audio.data) ?? '') }]
  const text = textOf(part.text)
  return text === undefined ? [] : [{ text }]
}

/** Content is a list of blocks when anything but text is said, and then in every message. */
function messagesOf(value: unknown): Json {
  const messages = arrayOf(value).map((message) => objectOf(message) ?? {})
  const blocks = messages.map(({ content }) =>
    typeof content === 'string' ? [{ text: content }] : arrayOf(content).flatMap(blockOf),
  )
  const isMixed = blocks.flat().some((block) => objectOf(block)?.text === undefined)
  return messages.map((message, index) => {
    const own = blocks[index] ?? []
    const text = own.map((block) => textOf(objectOf(block)?.text) ?? '').join('\n')
    return { ...message, content: isMixed ? own : text } as Json
  })
}

function encodeRequest(request: ChatRequest): Json {
  const { model, messages, stream, stream_options, reasoning_effort, verbosity, user, tool_choice, ...rest } =
    objectOf(openaiChat.encodeRequest(request)) ?? {}
  const effort = effortOf(request.reasoning)
  const only = request.tools?.length === 1 ? request.tools[0] : undefined
  const named = only && { type: 'function', function: { name: only.name } }
  return {
    model: request.model,
    input: { messages: messagesOf(messages) },
    parameters: {
      ...rest,
      result_format: 'message',
      incremental_output: request.stream ? true : undefined,
      temperature: clamp(request.temperature, 0, 1.9999),
      top_p: clamp(request.topP, 0.0001, 0.9999),
      top_k: request.topK,
      // The format cannot say "some tool": with one tool that is the tool, with several it stays the model's choice.
      tool_choice: (tool_choice === 'required' ? named : tool_choice) as Json | undefined,
      enable_thinking: effort === undefined ? undefined : effort !== 'none',
      thinking_budget: request.reasoning?.budgetTokens || undefined,
    },
  }
}

function textOfBlocks(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map((block) => textOf(objectOf(block)?.text) ?? '').join('')
}

/** The same answer in the form of OpenAI's chat, which differs in names alone. */
function asOpenai(chunk: JsonObject): JsonObject {
  const output = objectOf(chunk.output) ?? {}
  const usage = objectOf(chunk.usage)
  const plain = { finish_reason: output.finish_reason, message: { content: output.text } }
  const choices = output.choices === undefined && output.text !== undefined ? [plain] : arrayOf(output.choices)
  return {
    id: chunk.request_id,
    choices: choices.map((value, index) => {
      const choice = objectOf(value) ?? {}
      const message = objectOf(choice.message) ?? {}
      return {
        index,
        finish_reason: choice.finish_reason === 'null' ? null : choice.finish_reason,
        delta: { ...message, content: textOfBlocks(message.content) },
      }
    }),
    usage: usage && {
      prompt_tokens: usage.input_tokens,
      completion_tokens: usage.output_tokens,
      total_tokens: usage.total_tokens,
      prompt_tokens_details: usage.prompt_tokens_details,
      completion_tokens_details: usage.output_tokens_details,
    },
  }
}

function errorIn(body: JsonObject, status?: number): ChatFault | undefined {
  const code = textOf(body.code)
  return code ? dashscopeFault(code, textOf(body.message) ?? code, status) : undefined
}

function createReader() {
  const read = createChunkReader()
  return (chunk: JsonObject) => {
    const error = errorIn(chunk)
    return error ? faultEvents(error) : read(asOpenai(chunk))
  }
}

/** Alibaba's own generation service. */
export const dashscope: UpstreamDialect = {
  id: 'dashscope',
  framing: 'sse',
  carries: new Set(['image']),
  encodeRequest,
  decodeResponse(body) {
    const answer = objectOf(body)
    return answer ? createReader()(answer) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(createReader()),
  decodeError(status, body) {
    return errorIn(objectOf(body) ?? {}, status) ?? faultOfStatus(status, `DashScope answered with status ${status}.`)
  },
}
