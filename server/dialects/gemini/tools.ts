import type { ChatRequest, Tool, ToolChoice } from '#server/dialects/chat.ts'
import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { allowedNames } from '#server/dialects/tools/allowed-tools.ts'
import { arrayOf, compact, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { field, objectField } from './either-case.ts'
import { jsonSchemaOf } from './json-schema.ts'

function decodeTool(declaration: JsonObject, path: string): Tool {
  const name = textOf(declaration.name)
  if (!name) throw new BadRequest(`${path}.name is required and must be a string`, path)
  return compact<Tool>({
    name,
    description: textOf(declaration.description),
    parameters: objectField(declaration, 'parametersJsonSchema') ?? objectOf(jsonSchemaOf(declaration.parameters)),
  })
}

/** Tools of the client; those that Google runs are left out and named. */
export function decodeTools(value: unknown): Pick<ChatRequest, 'tools' | 'leftOut'> {
  const hosted = new Set<string>()
  const tools = arrayOf(value).flatMap((entry, index) => {
    const tool = objectOf(entry) ?? {}
    for (const name of Object.keys(tool)) if (!/^function_?declarations$/i.test(name)) hosted.add(name)
    return arrayOf(field(tool, 'functionDeclarations')).map((declaration, at) =>
      decodeTool(objectOf(declaration) ?? {}, `tools[${index}].functionDeclarations[${at}]`),
    )
  })
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(hosted.size === 0 ? {} : { leftOut: [...hosted] }),
  }
}

/** Which tools the configuration of calls allows. */
export const decodeAllowed = (config: JsonObject | undefined): Pick<ChatRequest, 'allowedTools'> =>
  allowedNames(arrayOf(field(objectField(config, 'functionCallingConfig'), 'allowedFunctionNames')).map(textOf))

export function decodeToolChoice(config: JsonObject | undefined): ToolChoice | undefined {
  const calling = objectField(config, 'functionCallingConfig')
  const names = arrayOf(field(calling, 'allowedFunctionNames'))
  const only = names.length === 1 ? textOf(names[0]) : undefined
  switch (calling?.mode) {
    case 'ANY':
      return only === undefined ? 'required' : { name: only }
    case 'NONE':
      return 'none'
    case 'AUTO':
    case 'VALIDATED':
      return 'auto'
    default:
      return undefined
  }
}

/** The API refuses an object without properties as the form of arguments. */
function takesArguments(parameters: Record<string, unknown> | undefined): boolean {
  return (
    parameters !== undefined &&
    (parameters.type !== 'object' || Object.keys(objectOf(parameters.properties) ?? {}).length > 0)
  )
}

export function encodeTools(tools: readonly Tool[]): Json {
  const declarations = tools.map((tool) =>
    compact({
      name: tool.name,
      description: tool.description,
      parametersJsonSchema: takesArguments(tool.parameters) ? (tool.parameters as Json) : undefined,
    }),
  )
  return [{ functionDeclarations: declarations }]
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

export function encodeToolChoice(choice: ToolChoice): Json {
  const calling =
    typeof choice === 'string' ? { mode: modes[choice] } : { mode: 'ANY', allowedFunctionNames: [choice.name] }
  return { functionCallingConfig: calling }
}
