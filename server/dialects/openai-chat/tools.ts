import { decodeCache, encodeCache } from '#server/dialects/cache-mark.ts'
import type { ChatRequest, Tool, ToolChoice } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { allowedNames } from '#server/dialects/tools/allowed-tools.ts'
import { objectSchema } from '#server/dialects/tools/object-schema.ts'
import { textTool } from '#server/dialects/tools/text-tool.ts'
import { arrayOf, compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'

function decodeCustom(custom: JsonObject | undefined, path: string): Tool {
  const name = textOf(custom?.name)
  if (!name) throw new BadRequest(`${path}.custom.name is required and must be a string`, path)
  return textTool(name, textOf(custom?.description), custom?.format)
}

export function decodeTools(tools: readonly JsonObject[] | undefined): Tool[] | undefined {
  return tools?.map((tool, index) => {
    const path = `tools[${index}]`
    if (tool.type === 'custom') return decodeCustom(objectOf(tool.custom), path)
    if (tool.type !== undefined && tool.type !== 'function') {
      throw new BadRequest(`${path}.type "${String(tool.type)}" cannot be sent to this model: use function`, path)
    }
    const described = objectOf(tool.function)
    const name = textOf(described?.name)
    if (!described || !name) throw new BadRequest(`${path}.function.name is required and must be a string`, path)
    return compact<Tool>({
      name,
      description: textOf(described.description),
      parameters: objectOf(described.parameters),
      strict: typeof described.strict === 'boolean' ? described.strict : undefined,
      ...decodeCache(tool),
    })
  })
}

export function decodeToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  const wish = objectOf(choice)
  if (!wish) return undefined
  if (wish.type === 'allowed_tools') return objectOf(wish.allowed_tools)?.mode === 'required' ? 'required' : 'auto'
  const name = textOf(objectOf(wish.function)?.name) ?? textOf(objectOf(wish.custom)?.name)
  if (!name) throw new BadRequest('tool_choice must be auto, none, required or name a function', 'tool_choice')
  return { name }
}

/** Which tools `tool_choice` allows. */
export function decodeAllowed(choice: unknown): Pick<ChatRequest, 'allowedTools'> {
  const wish = objectOf(choice)
  const listed = wish?.type === 'allowed_tools' ? arrayOf(objectOf(wish.allowed_tools)?.tools) : []
  return allowedNames(
    listed.map((entry) => {
      const tool = objectOf(entry)
      return textOf(objectOf(tool?.function)?.name) ?? textOf(objectOf(tool?.custom)?.name)
    }),
  )
}

export function encodeTools(tools: readonly Tool[], marksCache: boolean): Json {
  return tools.map((tool) => ({
    type: 'function',
    function: {
      name: tool.name,
      ...(tool.description === undefined ? {} : { description: tool.description }),
      parameters: objectSchema(tool.parameters) as Json,
      ...(tool.strict === undefined ? {} : { strict: tool.strict }),
    },
    ...(marksCache ? encodeCache(tool.cache) : {}),
  }))
}

export function encodeToolChoice(choice: ToolChoice): Json {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}
