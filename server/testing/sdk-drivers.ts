import type Anthropic from '@anthropic-ai/sdk'
import type { Content, FunctionDeclaration, GenerateContentResponse, Part } from '@google/genai'
import type OpenAI from 'openai'
import type { SdkClients } from './sdk-clients.ts'

/** What a client has read of an answer, whatever its words for it. */
export interface Received {
  readonly text: string
  readonly model: string
  /** Seconds since 1970, in the formats that have it. */
  readonly created?: number
  readonly usage: { readonly input: number; readonly output: number }
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
}

export interface Question {
  readonly model: string
  readonly text: string
  readonly stream: boolean
  /** A `data:` URL. */
  readonly image?: string
  readonly tools?: boolean
}

/** A client in use: one question, and the same with a round through a tool. */
export interface Driver {
  ask(clients: SdkClients, question: Question): Promise<Received>
  /** Asks, runs the tool each answer calls and answers with `sunny`; what was received each time, twice unless said otherwise. */
  toolLoop(clients: SdkClients, question: Omit<Question, 'tools'>, turns?: number): Promise<readonly Received[]>
}

const name = 'weather'
const description = 'the weather of a city'
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const result = 'sunny'

type ChatTurn = OpenAI.Chat.ChatCompletionMessageParam
const chatTools = [{ type: 'function' as const, function: { name, description, parameters } }]

async function chat({ openai }: SdkClients, question: Question, messages: ChatTurn[]) {
  const body = { model: question.model, messages, ...(question.tools ? { tools: chatTools } : {}) }
  const got = question.stream
    ? await openai.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
    : await openai.chat.completions.create(body)
  const message = got.choices[0]?.message
  if (!message) throw new Error('no message')
  const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))
  const received: Received = {
    text: message.content ?? '',
    model: got.model,
    created: got.created,
    usage: { input: got.usage?.prompt_tokens ?? 0, output: got.usage?.completion_tokens ?? 0 },
    calls: calls.map((call) => ({ name: call.function.name, arguments: JSON.parse(call.function.arguments) })),
  }
  const results = calls.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: result }))
  return { received, turns: [...messages, message, ...results] }
}

function chatQuestion({ text, image }: Question): ChatTurn[] {
  const picture = image === undefined ? [] : [{ type: 'image_url' as const, image_url: { url: image } }]
  return [{ role: 'user', content: image === undefined ? text : [{ type: 'text', text }, ...picture] }]
}

type ResponseTurn = OpenAI.Responses.ResponseInputItem
const responseTools = [{ type: 'function' as const, name, description, parameters, strict: false }]

async function respond({ openai }: SdkClients, question: Question, input: ResponseTurn[]) {
  const body = { model: question.model, input, ...(question.tools ? { tools: responseTools } : {}) }
  const got = question.stream
    ? await openai.responses.stream(body).finalResponse()
    : await openai.responses.create(body)
  const calls = got.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
  const received: Received = {
    text: got.output_text,
    model: got.model,
    created: got.created_at,
    usage: { input: got.usage?.input_tokens ?? 0, output: got.usage?.output_tokens ?? 0 },
    calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) })),
  }
  const results = calls.map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: result }))
  return { received, turns: [...input, ...(got.output as ResponseTurn[]), ...results] }
}

function responseQuestion({ text, image }: Question): ResponseTurn[] {
  const words = { type: 'input_text' as const, text }
  const picture =
    image === undefined ? [] : [{ type: 'input_image' as const, image_url: image, detail: 'auto' as const }]
  return [{ role: 'user', content: [words, ...picture] }]
}

type MessageTurn = Anthropic.MessageParam
const messageTools = [{ name, description, input_schema: parameters }]

async function message({ anthropic }: SdkClients, question: Question, messages: MessageTurn[]) {
  const base = { model: question.model, max_tokens: 100, messages }
  const body = { ...base, ...(question.tools ? { tools: messageTools } : {}) }
  const got = question.stream
    ? await anthropic.messages.stream(body).finalMessage()
    : await anthropic.messages.create(body)
  const calls = got.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
  const received: Received = {
    text: got.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    model: got.model,
    usage: { input: got.usage.input_tokens, output: got.usage.output_tokens },
    calls: calls.map((call) => ({ name: call.name, arguments: call.input })),
  }
  const results = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: result }))
  const answer: MessageTurn[] = [{ role: 'assistant', content: got.content }]
  return { received, turns: [...messages, ...answer, { role: 'user' as const, content: results }] }
}

function messageQuestion({ text, image }: Question): MessageTurn[] {
  const words = { type: 'text' as const, text }
  if (image === undefined) return [{ role: 'user', content: [words] }]
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: image.split(',')[1] ?? '' }
  return [{ role: 'user', content: [words, { type: 'image', source }] }]
}

const declared: FunctionDeclaration = { name, description, parametersJsonSchema: parameters }

async function generate({ google }: SdkClients, question: Question, contents: Content[]) {
  const config = question.tools ? { tools: [{ functionDeclarations: [declared] }] } : {}
  const body = { model: question.model, contents, config }
  const chunks: GenerateContentResponse[] = question.stream
    ? await Array.fromAsync(await google.models.generateContentStream(body))
    : [await google.models.generateContent(body)]
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
  const calls = parts.flatMap((part) => (part.functionCall ? [part.functionCall] : []))
  const usage = chunks.at(-1)?.usageMetadata
  const received: Received = {
    text: parts.map((part) => part.text ?? '').join(''),
    model: chunks[0]?.modelVersion ?? '',
    usage: { input: usage?.promptTokenCount ?? 0, output: usage?.candidatesTokenCount ?? 0 },
    calls: calls.map((call) => ({ name: call.name ?? '', arguments: call.args })),
  }
  const results = calls.map((call): Part => {
    const { id, name: called = '' } = call
    return { functionResponse: { ...(id === undefined ? {} : { id }), name: called, response: { output: result } } }
  })
  return { received, turns: [...contents, { role: 'model', parts }, { role: 'user', parts: results }] }
}

function generateQuestion({ text, image }: Question): Content[] {
  const picture =
    image === undefined ? [] : [{ inlineData: { mimeType: 'image/png', data: image.split(',')[1] ?? '' } }]
  return [{ role: 'user', parts: [{ text }, ...picture] }]
}

/** A driver from how a client opens a conversation and how it takes one step of it. */
function driver<Turn>(
  open: (question: Question) => Turn[],
  step: (clients: SdkClients, question: Question, turns: Turn[]) => Promise<{ received: Received; turns: Turn[] }>,
): Driver {
  return {
    ask: async (clients, question) => (await step(clients, question, open(question))).received,
    async toolLoop(clients, question, count = 2) {
      const asked = { ...question, tools: true }
      const received: Received[] = []
      let turns = open(asked)
      while (received.length < count) {
        const answer = await step(clients, asked, turns)
        received.push(answer.received)
        turns = answer.turns
      }
      return received
    },
  }
}

export const drivers = {
  'the openai client': driver(chatQuestion, chat),
  'the openai client on responses': driver(responseQuestion, respond),
  'the anthropic client': driver(messageQuestion, message),
  'the google client': driver(generateQuestion, generate),
} satisfies Record<string, Driver>
