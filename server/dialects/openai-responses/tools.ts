import type { ChatRequest, Tool, ToolChoice } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { allowedNames } from '#server/dialects/tools/allowed-tools.ts'
import { objectSchema } from '#server/dialects/tools/object-schema.ts'
import { textTool } from '#server/dialects/tools/text-tool.ts'
import { arrayOf, compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'

/** The one name under which other formats know a tool of a namespace. */
export function joinedName(namespace: string | undefined, name: string): string {
  if (!namespace) return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}

export interface DecodedTools {
  readonly tools: readonly Tool[]
  readonly leftOut: readonly string[]
}

function decodeTool(tool: JsonObject, path: string, namespace: string | undefined): Tool {
  const own = textOf(tool.name)
  if (!own) throw new BadRequest(`${path}.name is required and must be a string`, path)
  const name = joinedName(namespace, own)
  const description = textOf(tool.description)
  const origin = namespace ? { origin: { namespace, name: own } } : {}
  if (tool.type === 'custom') return { ...textTool(name, description, tool.format), ...origin }
  return compact<Tool>({
    name,
    description,
    parameters: objectOf(tool.parameters),
    strict: typeof tool.strict === 'boolean' ? tool.strict : undefined,
    ...origin,
  })
}

function decodeList(list: readonly unknown[], path: string, namespace?: string): DecodedTools {
  const decoded = list.map((entry, index): DecodedTools => {
    const tool = objectOf(entry) ?? {}
    const at = `${path}[${index}]`
    if (tool.type === 'namespace') return decodeList(arrayOf(tool.tools), `${at}.tools`, textOf(tool.name))
    if (tool.type === 'function' || tool.type === 'custom')
      return { tools: [decodeTool(tool, at, namespace)], leftOut: [] }
    if (typeof tool.type !== 'string') throw new BadRequest(`${at}.type is required and must be a string`, at)
    return { tools: [], leftOut: [tool.type] }
  })
  return { tools: decoded.flatMap(({ tools }) => tools), leftOut: decoded.flatMap(({ leftOut }) => leftOut) }
}

/** Items of the input that bring tools of their own: the latest definition of a name counts. */
const bringsTools = (item: JsonObject) => item.type === 'additional_tools' || item.type === 'tool_search_output'

/** Every tool of a request, its namespaces joined, and the types of those that OpenAI alone can run. */
export function decodeTools(listed: readonly JsonObject[] | undefined, input: unknown): DecodedTools {
  const brought = arrayOf(input).map((entry, index) => {
    const item = objectOf(entry) ?? {}
    return decodeList(bringsTools(item) ? arrayOf(item.tools) : [], `input[${index}].tools`)
  })
  const own = decodeList(listed ?? [], 'tools')
  const byName = new Map(brought.flatMap(({ tools }) => tools).map((tool) => [tool.name, tool]))
  const leftOut = new Set([own, ...brought].flatMap((part) => part.leftOut))
  return { tools: [...own.tools.filter(({ name }) => !byName.has(name)), ...byName.values()], leftOut: [...leftOut] }
}

export function decodeToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const wish = objectOf(choice)
  if (!wish) return undefined
  if (wish.type === 'allowed_tools') return wish.mode === 'required' ? 'required' : 'auto'
  if (wish.type !== 'function' && wish.type !== 'custom') return undefined
  const name = textOf(wish.name)
  if (!name) throw new BadRequest('tool_choice must be auto, none, required or name a function', 'tool_choice')
  return { name: joinedName(textOf(wish.namespace), name) }
}

/** Which tools `tool_choice` allows. */
export function decodeAllowed(choice: unknown): Pick<ChatRequest, 'allowedTools'> {
  const wish = objectOf(choice)
  const listed = wish?.type === 'allowed_tools' ? arrayOf(wish.tools) : []
  return allowedNames(
    listed.map((entry) => {
      const tool = objectOf(entry)
      const name = textOf(tool?.name)
      return name === undefined ? name : joinedName(textOf(tool?.namespace), name)
    }),
  )
}

/** `strict` is on where nothing is said, so it is always said. */
export function encodeTools(tools: readonly Tool[]): Json {
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    parameters: objectSchema(tool.parameters) as Json,
    strict: tool.strict ?? false,
  }))
}

export function encodeToolChoice(choice: ToolChoice): Json {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name }
}

/** The tools as their client sent them, with what OpenAI adds to them. */
export function showTools(tools: readonly unknown[]): Json[] {
  return tools.map((entry) => {
    const tool = objectOf(entry) as { [key: string]: Json } | undefined
    if (tool?.type === 'custom') return { format: { type: 'text' }, ...tool }
    if (tool?.type === 'namespace') return { description: '', ...tool, tools: showTools(arrayOf(tool.tools)) }
    if (tool?.type !== 'function') return entry as Json
    return { strict: false, ...tool, parameters: tool.parameters ?? objectSchema(undefined) } as Json
  })
}
