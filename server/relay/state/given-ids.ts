import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import type { StateKind } from './state.store.ts'

type Given = readonly [StateKind, string]

const given = (kind: StateKind, id: unknown): Given[] => {
  const text = textOf(id)
  return text ? [[kind, text]] : []
}

/** Sound in an answer of chat, or in an event of it. */
export const givenAsSound = (answer: unknown): Given[] =>
  arrayOf(objectOf(answer)?.choices).flatMap((entry) => {
    const choice = objectOf(entry)
    const said = objectOf(choice?.message) ?? objectOf(choice?.delta)
    return given('item', objectOf(said?.audio)?.id)
  })

/**
 * Containers in which OpenAI ran code, and the files there that its answer cites. Only places that OpenAI itself fills are read:
 * elsewhere in an answer stands what a model was asked to write.
 */
export const givenByCode = (output: unknown): Given[] =>
  arrayOf(output).flatMap((entry) => {
    const item = objectOf(entry)
    const cited = arrayOf(item?.content).flatMap((part) => arrayOf(objectOf(part)?.annotations))
    return [
      ...given('item', item?.container_id),
      ...given('item', objectOf(item?.environment)?.container_id),
      ...cited.map(objectOf).flatMap((citation) => {
        if (citation?.type !== 'container_file_citation') return []
        return [...given('item', citation.container_id), ...given('item', citation.file_id)]
      }),
    ]
  })

/** What Anthropic's own code answered; the input of a tool is what a model was asked to write. */
const codeResult = /^(?:\w+_)?code_execution_tool_result$/

/** The container in which Anthropic ran code, and the files it made, in a message or in one of its events. */
export function givenByClaude(answer: unknown): Given[] {
  const said = objectOf(answer)
  const parts = [said, objectOf(said?.message), objectOf(said?.delta)]
  const results = [...arrayOf(said?.content), said?.content_block].flatMap((entry) => {
    const block = objectOf(entry)
    return codeResult.test(textOf(block?.type) ?? '') ? arrayOf(objectOf(block?.content)?.content) : []
  })
  return [
    ...parts.flatMap((part) => given('item', objectOf(part?.container)?.id)),
    ...results.flatMap((output) => given('anthropic-file', objectOf(output)?.file_id)),
  ]
}
