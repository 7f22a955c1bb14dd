import { z } from 'zod'
import type { ChatRequest, Message, ResponseFormat } from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { anyObject, maybe, parseBody } from '#server/dialects/parse-body.ts'
import { isEffort } from '#server/dialects/reasoning-effort.ts'
import { arrayOf, compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { decodeItems } from './items-decode.ts'
import { logprobsInclude } from './request-encode.ts'
import { decodeAllowed, decodeToolChoice, decodeTools, showTools } from './tools.ts'

const number = maybe(z.number())

const schema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(anyObject)]),
  instructions: maybe(z.string()),
  stream: maybe(z.boolean()),
  max_output_tokens: number,
  temperature: number,
  top_p: number,
  top_logprobs: number,
  tools: maybe(z.array(anyObject)),
  tool_choice: maybe(z.unknown()),
  parallel_tool_calls: maybe(z.boolean()),
  text: maybe(anyObject),
  reasoning: maybe(anyObject),
  user: maybe(z.string()),
  metadata: maybe(anyObject),
  truncation: maybe(z.string()),
  safety_identifier: maybe(z.string()),
})

type Body = z.infer<typeof schema>

/** What only a server that stores answers could do. */
const stateful: Record<string, string> = {
  previous_response_id: 'send the earlier items as input instead',
  conversation: 'send the earlier items as input instead',
  background: 'leave it out and wait for the answer',
  prompt: 'send its text as instructions instead',
}

function refuseStateful(body: Body): void {
  for (const [name, advice] of Object.entries(stateful)) {
    if (body[name]) throw new BadRequest(`${name} is not supported with this model: ${advice}`, name)
  }
}

function decodeFormat(format: JsonObject | undefined): ResponseFormat | undefined {
  if (!format) return undefined
  if (format.type === 'json_object') return { type: 'json' }
  if (format.type !== 'json_schema') return { type: 'text' }
  return compact<ResponseFormat>({
    type: 'json-schema',
    name: textOf(format.name) ?? 'answer',
    schema: objectOf(format.schema) ?? {},
    description: textOf(format.description),
    strict: typeof format.strict === 'boolean' ? format.strict : undefined,
  })
}

function decodeReasoning(reasoning: JsonObject | undefined): ChatRequest['reasoning'] {
  if (!reasoning) return undefined
  const effort = isEffort(reasoning.effort) ? { effort: reasoning.effort } : {}
  const show = textOf(reasoning.summary) ?? textOf(reasoning.generate_summary)
  const wish = { ...effort, ...(show === undefined ? {} : { show: true }) }
  return Object.keys(wish).length === 0 ? undefined : wish
}

function decodeMessages(body: Body): Message[] {
  const said: Message[] =
    typeof body.input === 'string'
      ? [{ role: 'user', parts: [{ type: 'text', text: body.input }] }]
      : decodeItems(body.input)
  if (said.length === 0) throw new BadRequest('input must hold at least one item', 'input')
  if (body.instructions === undefined) return said
  return [{ role: 'system', parts: [{ type: 'text', text: body.instructions }] }, ...said]
}

function echoOf({ instructions, metadata, truncation, tools, tool_choice }: Body): ChatRequest['echo'] {
  const echo = compact({ instructions, metadata, truncation, tools: tools && showTools(tools), tool_choice })
  return Object.keys(echo).length === 0 ? undefined : echo
}

function decodeLogprobs({ top_logprobs: top, include }: Body): ChatRequest['logprobs'] {
  if (top) return { top }
  return arrayOf(include).includes(logprobsInclude) ? {} : undefined
}

export function decodeRequest(raw: unknown): ChatRequest {
  const body = parseBody(schema, raw)
  refuseStateful(body)
  const verbosity = body.text?.verbosity
  const { tools, leftOut } = decodeTools(body.tools, body.input)
  return compact<ChatRequest>({
    model: body.model,
    messages: decodeMessages(body),
    stream: body.stream ?? false,
    includeUsage: true,
    maxOutputTokens: body.max_output_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    tools: tools.length === 0 ? undefined : tools,
    leftOut: leftOut.length === 0 ? undefined : leftOut,
    toolChoice: decodeToolChoice(body.tool_choice),
    ...decodeAllowed(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls,
    responseFormat: decodeFormat(objectOf(body.text?.format)),
    reasoning: decodeReasoning(body.reasoning),
    verbosity: verbosity === 'low' || verbosity === 'medium' || verbosity === 'high' ? verbosity : undefined,
    logprobs: decodeLogprobs(body),
    user: body.user ?? body.safety_identifier,
    echo: echoOf(body),
  })
}
