import type { ChatRequest, Tool } from '#server/dialects/chat.ts'
import { budgetOfEffort, effortOf } from '#server/dialects/reasoning-effort.ts'
import { objectSchema } from '#server/dialects/tools/object-schema.ts'
import { withFormInWords } from '#server/providers/form-in-words.ts'
import { answerSchema } from './answer-schema.ts'

interface ClaudeModel {
  readonly line: string
  /** 4.5 for claude-sonnet-4-5. */
  readonly version: number
}

/** Line and version from both orders of naming; undefined for a name that has neither. */
function claudeModel(name: string): ClaudeModel | undefined {
  const today = /claude-([a-z]+)-(\d)(?:-(\d{1,2}))?(?!\d)/.exec(name)
  const before = /claude-(\d)(?:[-.](\d))?-([a-z]+)/.exec(name)
  const [line, major, minor] = today ? today.slice(1) : before ? [before[3], before[1], before[2]] : []
  return line === undefined ? undefined : { line, version: Number(`${major}.${minor ?? 0}`) }
}

type Change = (request: ChatRequest, model: ClaudeModel) => ChatRequest

/** Models after 4.6 refuse every sampling setting; from 4.1 on they take `temperature` or `top_p`, not both. */
const sampling: Change = (request, { version }) => {
  if (version > 4.6) return { ...request, temperature: undefined, topP: undefined, topK: undefined }
  const hasBoth = request.temperature !== undefined && request.topP !== undefined
  return version >= 4.1 && hasBoth ? { ...request, topP: undefined } : request
}

/** Thinking is unknown, set by a budget, set by an effort, or set by an effort and always on. */
const thinking: Change = (request, { line, version }) => {
  const { reasoning } = request
  if (!reasoning) return request
  const effort = effortOf(reasoning)
  if (version < 3.7) return { ...request, reasoning: undefined }
  if (version < 4.6) {
    if (effort === undefined || effort === 'none') return { ...request, reasoning: undefined }
    // An effort is no number: it must leave room for the answer itself.
    const half = Math.floor((request.maxOutputTokens ?? Number.POSITIVE_INFINITY) / 2)
    const room = Math.max(half, budgetOfEffort('minimal'))
    const budgetTokens = reasoning.budgetTokens || Math.min(budgetOfEffort(effort), room)
    return { ...request, reasoning: { budgetTokens, show: reasoning.show } }
  }
  // The generation before had no word between `high` and `max`.
  if (version < 4.7) return effort === 'xhigh' ? { ...request, reasoning: { ...reasoning, effort: 'high' } } : request
  if (version < 5) return request
  const isAlwaysOn = (line === 'opus' && version >= 5.5) || (line !== 'sonnet' && line !== 'haiku' && version >= 5.1)
  return { ...request, reasoning: { effort: effort === 'none' && isAlwaysOn ? 'low' : effort, show: reasoning.show } }
}

/** The newest models refuse to be forced to a tool. */
const toolChoice: Change = (request, { line, version }) => {
  const refuses = line === 'haiku' ? false : version >= (line === 'opus' || line === 'sonnet' ? 5.5 : 5.1)
  const isForced = request.toolChoice === 'required' || typeof request.toolChoice === 'object'
  return refuses && isForced ? { ...request, toolChoice: 'auto' } : request
}

/** JSON without a schema is no setting of these models, and with one only from 4.5 on. */
const outputFormat: Change = (request, { version }) => {
  const format = request.responseFormat
  if (format?.type !== 'json-schema' || version < 4.5) return withFormInWords(request)
  return { ...request, responseFormat: { ...format, schema: answerSchema(format.schema) } }
}

/** Claude makes one grammar of the forms of all strict tools, and refuses the request when that becomes too large. */
const strictToolsMax = 5

/** Known from 4.5 on. */
const strictTools: Change = (request, { version }) => {
  const { tools = [] } = request
  const count = tools.filter(({ strict }) => strict).length
  if (count === 0 && version >= 4.5) return request
  const isKept = version >= 4.5 && count <= strictToolsMax
  return {
    ...request,
    tools: request.tools?.map((tool) => (isKept ? withStrictForm(tool) : { ...tool, strict: undefined })),
  }
}

const withStrictForm = (tool: Tool): Tool =>
  tool.strict ? { ...tool, parameters: answerSchema(objectSchema(tool.parameters)) } : tool

const changes: readonly Change[] = [sampling, thinking, toolChoice, outputFormat, strictTools]

/** A translated request without what this generation of Claude would refuse. */
export function withinClaude(request: ChatRequest): ChatRequest {
  const model = claudeModel(request.model)
  return model ? changes.reduce((changed, change) => change(changed, model), request) : request
}
