import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { answerChat } from './openai.ts'
import { events } from './respond.ts'
import { doubleUsage } from './script.ts'

/** Which tools OpenAI takes in chat: none, none but with the effort `none`, none but without another effort, or all. */
function takesTools(model: string, effort: unknown): boolean {
  if (/-chat/.test(model)) return true
  if (/^gpt-(6-astra|6\.1|9)/.test(model)) return false
  if (/^gpt-(5\.6|6-sol|6-luna)/.test(model)) return effort === 'none'
  return !/^gpt-5\.[45]/.test(model) || effort === undefined || effort === null || effort === 'none'
}

const refusal = (message: string, param: string | null, code: string | null = null): Response =>
  Response.json({ error: { message, type: 'invalid_request_error', param, code } }, { status: 400 })

/** With the ending of models that know the effort `none`, and of those that do not. */
export const refusedTools = (model: string): string =>
  `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. ${
    takesTools(model, 'none')
      ? "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
      : 'Please use /v1/responses instead.'
  }`

function chat(body: JsonObject): Response {
  const model = textOf(body.model) ?? ''
  if (arrayOf(body.tools).length > 0 && !takesTools(model, body.reasoning_effort))
    return refusal(refusedTools(model), 'reasoning_effort')
  return answerChat(body)
}

/** All that responses know of what a client may send. */
const known = new Set([
  ...['model', 'input', 'store', 'stream', 'include', 'max_output_tokens', 'temperature', 'top_p', 'top_logprobs'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'text', 'reasoning', 'user', 'service_tier', 'prompt_cache_key'],
  ...['prompt_cache_options', 'safety_identifier', 'metadata', 'truncation'],
])

const callsMade = 2

/** A thought, then a call, until two calls have their results; then a text that counts the thoughts that came back. */
function outputOf(body: JsonObject): JsonObject[] {
  const items = arrayOf(body.input).map((item) => objectOf(item) ?? {})
  const results = items.filter((item) => item.type === 'function_call_output').length
  const thoughts = items.filter((item) => textOf(item.encrypted_content)?.startsWith('sealed-')).length
  const name = textOf(objectOf(arrayOf(body.tools)[0])?.name)
  const thought = { type: 'reasoning', id: `rs_${results}`, summary: [], encrypted_content: `sealed-${results}` }
  if (name !== undefined && results < callsMade) {
    const call = { call_id: `call_${results}`, name, arguments: '{"city":"Rome"}' }
    return [thought, { type: 'function_call', id: `fc_${results}`, status: 'completed', ...call }]
  }
  const text = `${results} results, ${thoughts} thoughts`
  const content = [{ type: 'output_text', text, annotations: [] }]
  return [thought, { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content }]
}

function responses(body: JsonObject): Response {
  const unknown = Object.keys(body).find((name) => !known.has(name))
  if (unknown !== undefined) return refusal(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  const output = outputOf(body)
  const { input, output: answered } = doubleUsage
  const whole = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: body.model,
    output,
    usage: { input_tokens: input, output_tokens: answered, total_tokens: input + answered },
  }
  if (body.stream !== true) return Response.json(whole)
  const begun = { ...whole, status: 'in_progress', output: [], usage: null }
  const inside = output.flatMap((item, output_index): JsonObject[] => {
    const text = textOf(objectOf(arrayOf(item.content)[0])?.text)
    const at = { output_index, content_index: 0 }
    const part = {
      type: 'response.content_part.added',
      ...at,
      part: { type: 'output_text', text: '', annotations: [] },
    }
    const delta = { type: 'response.output_text.delta', ...at, delta: text }
    const opening = { ...item, arguments: '', content: [], encrypted_content: undefined }
    return [
      { type: 'response.output_item.added', output_index, item: opening },
      ...(text === undefined ? [] : [part, delta]),
      { type: 'response.output_item.done', output_index, item },
    ]
  })
  const all: JsonObject[] = [
    { type: 'response.created', response: begun },
    ...inside,
    { type: 'response.completed', response: whole },
  ]
  return events(all.map((data) => ({ event: textOf(data.type) ?? '', data })))
}

/** OpenAI as of November 2026, which takes tools in chat from its older models alone. */
export const newestOpenai: Behaviour = ({ path, body }) => (path.endsWith('/responses') ? responses(body) : chat(body))
