import type { Tool } from '#server/dialects/chat.ts'
import { compact, objectOf, parseJson, textOf } from '#server/lib/json.ts'

/**
 * OpenAI's custom tools are called with free text. Everywhere else they are functions with this one argument, and what comes back
 * is the text again.
 */
const argument = 'input'

/** A grammar cannot be enforced elsewhere: the description states it. */
function described(description: string | undefined, format: unknown): string | undefined {
  const { type, syntax, definition, grammar } = objectOf(format) ?? {}
  const rule = objectOf(grammar) ?? { syntax, definition }
  const text = textOf(rule.definition)
  if (type !== 'grammar' || text === undefined) return description
  return [description, `The input follows this grammar (${textOf(rule.syntax) ?? 'lark'}):\n${text}`]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

export function textTool(name: string, description: string | undefined, format: unknown): Tool {
  return compact<Tool>({
    name,
    description: described(description, format),
    parameters: {
      type: 'object',
      properties: { [argument]: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: [argument],
      additionalProperties: false,
    },
    takesText: true,
  })
}

export const argumentsOfText = (text: string): string => JSON.stringify({ [argument]: text })

/** The text a call was made with; arguments in another form are taken as the text. */
export function textOfArguments(text: string): string {
  return textOf(objectOf(parseJson(text))?.[argument]) ?? (text === '{}' ? '' : text)
}
