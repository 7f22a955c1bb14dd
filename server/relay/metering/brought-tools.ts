import { arrayOf, objectOf } from '#server/lib/json.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'

const none: readonly unknown[] = []

/** Tools that stand in the items of a conversation: found by a search, or added to it. */
export function toolsInItems(items: unknown): readonly unknown[] {
  let found: unknown[] | null = null
  for (const item of arrayOf(items)) {
    const { type, tools } = objectOf(item) ?? {}
    if (type !== 'additional_tools' && type !== 'tool_search_output') continue
    found ??= []
    for (const tool of arrayOf(tools)) found.push(tool)
  }
  return found ?? none
}

/** The same in Claude's messages, and in what is left of those that were summarized. */
export function toolsInMessages(messages: unknown): readonly unknown[] {
  let found: unknown[] | null = null
  for (const message of arrayOf(messages)) {
    for (const block of arrayOf(objectOf(message)?.content)) {
      const { type, tool, tool_changes } = objectOf(block) ?? {}
      if (type !== 'tool_addition' && type !== 'compaction') continue
      found ??= []
      for (const added of [tool, ...arrayOf(tool_changes).map((change) => objectOf(change)?.tool)]) {
        const definition = objectOf(objectOf(added)?.definition)
        if (definition) found.push(definition)
      }
    }
  }
  return found ?? none
}

/** Those of a request: in its list, and in Claude's messages. */
export const toolsIn = ({ tools, messages }: JsonBody): readonly unknown[] => [
  ...arrayOf(tools),
  ...toolsInMessages(messages),
]
