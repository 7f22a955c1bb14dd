import { z } from 'zod'
import type { Shape } from './shape.ts'

/**
 * What clients with strict types (Rust's async-openai 0.43, OpenAI's own for Java 4.94) must find in each answer. A field of
 * `nullable` must be there, if only as null.
 */
const text = z.string()
const count = z.number().int().nonnegative()
const word = <Word extends string>(...words: Word[]) => z.enum(words)
const any = z.unknown()
const fields = z.looseObject

const details = (...names: string[]) => fields(Object.fromEntries(names.map((name) => [name, count])))

const likely = { token: text, logprob: z.number(), bytes: z.array(count) }
const likelihood = fields({ ...likely, top_logprobs: z.array(fields(likely)) })
const logprobs = z.nullable(fields({ content: z.array(likelihood), refusal: z.null() }))

const chatUsage = fields({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: details('cached_tokens').optional(),
  completion_tokens_details: details('reasoning_tokens').optional(),
})
const called = z.union([
  fields({ id: text, type: word('function'), function: fields({ name: text, arguments: text }) }),
  fields({ id: text, type: word('custom'), custom: fields({ name: text, input: text }) }),
])
const chatCitation = fields({
  type: word('url_citation'),
  url_citation: fields({ url: text, title: text, start_index: count, end_index: count }),
})
const finish = word('stop', 'length', 'tool_calls', 'content_filter')
const chatHead = { id: text, created: count, model: text }

const chat = fields({
  ...chatHead,
  object: word('chat.completion'),
  choices: z.array(
    fields({
      index: count,
      message: fields({
        role: word('assistant'),
        content: text.nullable(),
        refusal: text.nullable(),
        tool_calls: z.array(called).optional(),
        annotations: z.array(chatCitation).optional(),
      }),
      logprobs,
      finish_reason: finish,
    }),
  ),
  usage: chatUsage,
})

const chunk = fields({
  ...chatHead,
  object: word('chat.completion.chunk'),
  choices: z.array(
    fields({
      index: count,
      delta: fields({ tool_calls: z.array(fields({ index: count })).optional() }),
      logprobs,
      finish_reason: finish.nullable(),
    }),
  ),
  usage: chatUsage.nullable().optional(),
})

const annotation = fields({ type: word('url_citation'), url: text, title: text, start_index: count, end_index: count })
const part = z.union([
  fields({ type: word('output_text'), text, annotations: z.array(annotation), logprobs: z.array(likelihood) }),
  fields({ type: word('refusal'), refusal: text }),
])
const summary = fields({ type: word('summary_text'), text })
const status = word('in_progress', 'completed', 'incomplete')
const said = { id: text, status }
const inputPart = fields({ type: text })
const item = z.discriminatedUnion('type', [
  fields({ type: word('message'), ...said, role: word('assistant'), content: z.array(part) }),
  fields({ type: word('reasoning'), id: text, summary: z.array(summary) }),
  fields({ type: word('function_call'), ...said, call_id: text, name: text, arguments: text }),
  fields({ type: word('custom_tool_call'), id: text, call_id: text, name: text, input: text }),
  fields({ type: word('image_generation_call'), ...said, result: text.nullable() }),
])
const anyItem = z.union([
  fields({ type: word('message'), ...said, role: word('user', 'system', 'developer'), content: z.array(inputPart) }),
  item,
])

interface ToolField {
  readonly [name: string]: unknown
}
const tool: z.ZodType<ToolField> = z.discriminatedUnion('type', [
  fields({ type: word('function'), name: text, parameters: any, strict: z.boolean() }),
  fields({ type: word('custom'), name: text, format: fields({ type: text }) }),
  fields({ type: word('namespace'), name: text, description: text, tools: z.array(z.lazy(() => tool)) }),
])

const response = fields({
  id: text,
  object: word('response'),
  created_at: count,
  model: text,
  status: word('completed', 'failed', 'in_progress', 'cancelled', 'queued', 'incomplete'),
  error: z.nullable(fields({ code: text, message: text })),
  incomplete_details: z.nullable(fields({ reason: word('max_output_tokens', 'content_filter') })),
  instructions: text.nullable(),
  metadata: z.record(text, text),
  output: z.array(item),
  parallel_tool_calls: z.boolean(),
  temperature: z.number().nullable(),
  top_p: z.number().nullable(),
  tool_choice: any,
  tools: z.array(tool),
  usage: z.nullable(
    fields({
      input_tokens: count,
      input_tokens_details: details('cached_tokens', 'cache_write_tokens'),
      output_tokens: count,
      output_tokens_details: details('reasoning_tokens'),
      total_tokens: count,
    }),
  ),
})

const at = { sequence_number: count, output_index: count }
const inItem = { ...at, item_id: text }
const inPart = { ...inItem, content_index: count }
const inSummary = { ...inItem, summary_index: count }
const ofResponse = { sequence_number: count, response }
const ofEvent = (name: string) => `response.${name}`
const event = z.discriminatedUnion('type', [
  fields({
    type: z.literal(['created', 'in_progress', 'completed', 'incomplete', 'failed'].map(ofEvent)),
    ...ofResponse,
  }),
  fields({ type: z.literal('response.output_item.added'), ...at, item }),
  fields({ type: z.literal('response.output_item.done'), ...at, item }),
  fields({ type: z.literal('response.content_part.added'), ...inPart, part }),
  fields({ type: z.literal('response.content_part.done'), ...inPart, part }),
  fields({ type: z.literal('response.output_text.delta'), ...inPart, delta: text, logprobs: z.array(likelihood) }),
  fields({ type: z.literal('response.output_text.done'), ...inPart, text, logprobs: z.array(likelihood) }),
  fields({ type: z.literal('response.output_text.annotation.added'), ...inPart, annotation_index: count, annotation }),
  fields({ type: z.literal('response.refusal.delta'), ...inPart, delta: text }),
  fields({ type: z.literal('response.refusal.done'), ...inPart, refusal: text }),
  fields({ type: z.literal('response.reasoning_summary_part.added'), ...inSummary, part: summary }),
  fields({ type: z.literal('response.reasoning_summary_part.done'), ...inSummary, part: summary }),
  fields({ type: z.literal('response.reasoning_summary_text.delta'), ...inSummary, delta: text }),
  fields({ type: z.literal('response.reasoning_summary_text.done'), ...inSummary, text }),
  fields({ type: z.literal('response.function_call_arguments.delta'), ...inItem, delta: text }),
  fields({ type: z.literal('response.function_call_arguments.done'), ...inItem, name: text, arguments: text }),
  fields({ type: z.literal('response.custom_tool_call_input.delta'), ...inItem, delta: text }),
  fields({ type: z.literal('response.custom_tool_call_input.done'), ...inItem, input: text }),
  fields({
    type: z.literal('error'),
    sequence_number: count,
    code: text.nullable(),
    message: text,
    param: text.nullable(),
  }),
])

const listOf = (entry: z.ZodType) =>
  fields({
    object: word('list'),
    data: z.array(entry),
    first_id: text.nullable(),
    last_id: text.nullable(),
    has_more: z.boolean(),
  })
const model = fields({ id: text, object: word('model'), created: count, owned_by: text })

export const requiredFields: Readonly<Record<Shape, z.ZodType>> = {
  chat,
  'chat-chunk': chunk,
  response,
  'response-event': event,
  'response-deleted': fields({ id: text, object: word('response'), deleted: z.literal(true) }),
  'response-items': listOf(anyItem),
  'input-tokens': fields({ object: word('response.input_tokens'), input_tokens: count }),
  conversation: fields({ id: text, object: word('conversation'), created_at: count, metadata: any }),
  'conversation-items': listOf(anyItem),
  'conversation-deleted': fields({ id: text, object: word('conversation.deleted'), deleted: z.literal(true) }),
  embeddings: fields({
    object: word('list'),
    model: text,
    data: z.array(fields({ object: word('embedding'), index: count, embedding: z.array(z.number()) })),
    usage: details('prompt_tokens', 'total_tokens'),
  }),
  images: fields({
    created: count,
    data: z.array(fields({ b64_json: text })),
    usage: fields({
      input_tokens: count,
      input_tokens_details: details('text_tokens', 'image_tokens'),
      output_tokens: count,
      output_tokens_details: details('text_tokens', 'image_tokens'),
      total_tokens: count,
    }),
  }),
  completion: fields({
    ...chatHead,
    object: word('text_completion'),
    choices: z.array(
      fields({
        index: count,
        text,
        logprobs: z.unknown(),
        finish_reason: word('stop', 'length', 'content_filter').nullable(),
      }),
    ),
    usage: chatUsage.nullable().optional(),
  }),
  moderation: fields({
    id: text,
    model: text,
    results: z.array(
      fields({
        flagged: z.boolean(),
        categories: z.record(text, z.boolean()),
        category_scores: z.record(text, z.number()),
        category_applied_input_types: z.record(text, z.array(word('text', 'image'))),
      }),
    ),
  }),
  transcription: fields({ text, usage: any }),
  'transcription-verbose': fields({
    text,
    language: text,
    duration: z.number(),
    segments: z.array(fields({ id: count, text })),
    usage: fields({ type: word('duration'), seconds: z.number() }),
  }),
  translation: fields({ text }),
  models: fields({ object: word('list'), data: z.array(model) }),
  model,
  error: fields({ error: fields({ message: text, type: text, param: text.nullable(), code: text.nullable() }) }),
}
