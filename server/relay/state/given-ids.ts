import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import { objectsIn } from './referred-ids.ts'
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

/** Containers in which OpenAI ran code, and the files there that its answer cites. */
export const givenByCode = (output: unknown): Given[] =>
  [...objectsIn(output)].flatMap(({ type, container_id, file_id }) => [
    ...given('item', container_id),
    ...(type === 'container_file_citation' ? given('item', file_id) : []),
  ])

/** The container in which Anthropic ran code, and the files it made, in a message or in one of its events. */
export function givenByClaude(answer: unknown): Given[] {
  const said = objectOf(answer)
  const parts = [said, objectOf(said?.message), objectOf(said?.delta)]
  const made = [...objectsIn([said?.content, said?.content_block])].flatMap((object) =>
    /_output$/.test(textOf(object.type) ?? '') ? given('anthropic-file', object.file_id) : [],
  )
  return [...parts.flatMap((part) => given('item', objectOf(part?.container)?.id)), ...made]
}
