import { arrayOf, type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import type { StateRow } from './state.store.ts'

/** A response the relay keeps itself: what was asked in this turn, and the answer. */
export interface OwnResponse {
  readonly response: JsonObject
  readonly input: readonly JsonObject[]
  /** '' when it began a conversation. */
  readonly previous: string
}

const objects = (list: unknown): JsonObject[] => arrayOf(list).map((entry) => objectOf(entry) ?? {})

/** A response or a conversation that the relay keeps itself. */
export const isOwn = ({ kind, channel_id }: Pick<StateRow, 'kind' | 'channel_id'>): boolean =>
  channel_id === 0 && (kind === 'response' || kind === 'conversation')

/** A response that is made, kept before it is paid. */
interface UnpaidResponse extends OwnResponse {
  /** What is shown until then. */
  readonly asked: JsonObject
  readonly holdId: string
}

export function openUnpaid(secrets: SecretBox, row: StateRow): UnpaidResponse {
  const body = objectOf(parseJson(secrets.open(row.body_sealed))) ?? {}
  return {
    response: objectOf(body.response) ?? {},
    input: objects(body.input),
    previous: textOf(body.previous) ?? '',
    asked: objectOf(body.asked) ?? {},
    holdId: textOf(body.holdId) ?? '',
  }
}

export function openResponse(secrets: SecretBox, row: StateRow): OwnResponse {
  const { response, input, previous, asked } = openUnpaid(secrets, row)
  return { response: row.status === 'settling' ? asked : response, input, previous }
}

export const outputOf = (own: OwnResponse): JsonObject[] => objects(own.response.output)

const said = (role: unknown, text: string): JsonObject =>
  role === 'assistant' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'input_text', text }

/** The response in whose input an item stands, by the id it was given there. */
export function responseOfInput(id: string): string | undefined {
  const base = /^in_(.+)_\d+$/.exec(id)?.[1]
  return base && `resp_${base}`
}

/** The input of a request as items, each with an id by which it can be found again. */
export function itemsOfInput(input: unknown, idBase: string): JsonObject[] {
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objects(input)
  return items.map((item, at) => {
    const whole: JsonObject = { type: 'message', ...item, id: textOf(item.id) ?? `in_${idBase}_${at}` }
    if (whole.type !== 'message') return whole
    const text = textOf(whole.content)
    return { status: 'completed', ...whole, ...(text === undefined ? {} : { content: [said(whole.role, text)] }) }
  })
}

/** An item for the next request, without its id and status. Reasoning keeps them: its proof belongs to its id. */
export function replayed(item: JsonObject): JsonObject {
  if (item.type === 'reasoning') return item
  const { id: _, status: __, ...content } = item
  return content
}
