import { decodeCache } from '#server/dialects/cache-mark.ts'
import type { ChatRequest, Tool } from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { clientTool } from './client-tools.ts'

function decodeTool(tool: JsonObject, path: string): Tool {
  const name = textOf(tool.name)
  if (!name) throw new BadRequest(`${path}.name is required and must be a string`, path)
  return compact<Tool>({
    name,
    description: textOf(tool.description),
    parameters: objectOf(tool.input_schema),
    strict: typeof tool.strict === 'boolean' ? tool.strict : undefined,
    ...decodeCache(tool),
  })
}

/** The tools of a request: the client's own, Anthropic's that clients run as functions, and not those that Anthropic runs. */
export function decodeTools(
  list: readonly JsonObject[] | undefined,
  servers: readonly unknown[] = [],
): Pick<ChatRequest, 'tools' | 'leftOut'> {
  const tools: Tool[] = []
  const leftOut = servers.length === 0 ? [] : ['mcp_servers']
  list?.forEach((tool, index) => {
    const type = textOf(tool.type)
    const known = type === undefined ? undefined : clientTool(type)
    if (type === undefined || type === 'custom') tools.push(decodeTool(tool, `tools[${index}]`))
    else if (known) tools.push({ name: textOf(tool.name) ?? known.name, ...known.definition, ...decodeCache(tool) })
    else leftOut.push(type)
  })
  return { ...(list ? { tools } : {}), ...(leftOut.length === 0 ? {} : { leftOut: [...new Set(leftOut)] }) }
}
