import { epochSeconds } from '#server/context.ts'
import type { RelayStateTable } from '#server/db/tables.ts'
import { arrayOf, type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { bodyOf } from '#server/relay/request/ask.ts'
import type { UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import { givenAsSound, givenByClaude, givenByCode } from './given-ids.ts'
import { appendToConversation } from './own-conversation.ts'
import { itemsOfInput } from './own-response.ts'
import { keepState, type StateKind } from './state.store.ts'

/** How long an id is remembered for a thing a vendor keeps. */
const vendorDays = 30
export const conversationDays = 400
/** Larger turns are answered but not kept. */
const largestKept = 16 * 1024 * 1024

/** Owner, kind, id and lifetime of something that is kept. */
interface KeptThing {
  readonly userId: number
  readonly kind: StateKind
  readonly id: string
  readonly now: number
  readonly days: number
}

export const stateRow = (
  { userId, kind, id, now, days }: KeptThing,
  more: Partial<RelayStateTable> = {},
): RelayStateTable => ({
  user_id: userId,
  id,
  kind,
  channel_id: 0,
  key_hash: '',
  parent: '',
  status: '',
  node: '',
  body_sealed: '',
  created_at: now,
  expires_at: now + days * daySeconds,
  items: 0,
  items_bytes: 0,
  ...more,
})

/** The end of an answer: its body, or the data of the last event and the id of the first. */
export interface AnswerEnd {
  readonly text: string | undefined
  readonly id: string | undefined
  /** The data of events that gave out further ids. */
  readonly withIds?: readonly string[]
}

/** Remembers which ids a user was given, and stores responses that no vendor keeps. The answer is already paid, so a failure is only logged. */
export function keepAnswer(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  end: AnswerEnd,
): Promise<void> | undefined {
  const isSilentChat = request.ask.entrance.door.dialect.id === 'openai-chat' && !bodyOf(request.ask).audio
  return isSilentChat ? undefined : keep(context, request, answer, end)
}

async function keep(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  end: AnswerEnd,
): Promise<void> {
  const { dialect, operation } = request.ask.entrance.door
  try {
    if (operation === 'caches') await keepCache(context, request, answer, end)
    else if (dialect.id === 'openai-responses') await keepResponse(context, request, answer, end)
    else if (dialect.id === 'anthropic-messages') await keepMessage(context, request, answer, end)
    else if (dialect.id === 'openai-chat') await keepSound(context, request, answer, end)
  } catch (cause) {
    context.ctx.log.error('an answer could not be kept', { request: request.id, cause })
  }
}

const heldBy = ({ ctx }: RelayContext, { target }: UpstreamAnswer) => ({
  channel_id: target.channelId,
  key_hash: ctx.secrets.hash(target.key),
})

async function keepCache(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  { text }: AnswerEnd,
): Promise<void> {
  const name = textOf(objectOf(parseJson(text ?? ''))?.name)
  if (!name) return
  const held = heldBy(context, answer)
  const row = stateRow(
    { userId: request.caller.userId, kind: 'cache', id: name, now: epochSeconds(context.ctx), days: vendorDays },
    held,
  )
  await keepState(context.ctx.database.db, [row])
}

/** Remembers ids of the vendor that a user was given in an answer. */
async function keepGiven(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  given: readonly (readonly [StateKind, string])[],
): Promise<void> {
  if (given.length === 0) return
  const now = epochSeconds(context.ctx)
  const held = heldBy(context, answer)
  const rows = new Map(
    given.map(([kind, id]) => [id, stateRow({ userId: request.caller.userId, kind, id, now, days: vendorDays }, held)]),
  )
  await keepState(context.ctx.database.db, [...rows.values()])
}

async function keepMessage(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  { text, id, withIds = [] }: AnswerEnd,
): Promise<void> {
  if (answer.reading.kind !== 'same-dialect') return
  const message = objectOf(parseJson(text ?? ''))
  const messageId = id ?? textOf(message?.id)
  await keepGiven(context, request, answer, [
    ...(bodyOf(request.ask).thread && messageId ? [['thread', messageId] as const] : []),
    ...[message, ...withIds.map(parseJson)].flatMap(givenByClaude),
  ])
}

async function keepSound(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  { text, withIds = [] }: AnswerEnd,
): Promise<void> {
  if (answer.reading.kind !== 'same-dialect') return
  const said = [...(withIds.length > 0 ? withIds : [text ?? ''])].map(parseJson)
  await keepGiven(context, request, answer, said.flatMap(givenAsSound))
}

/** The response in a body, or in the last event of a stream. */
function responseIn(text: string | undefined): JsonObject | undefined {
  const body = objectOf(parseJson(text ?? ''))
  return objectOf(body?.response) ?? (body?.object === 'response' ? body : undefined)
}

async function keepResponse(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  { text }: AnswerEnd,
): Promise<void> {
  const response = responseIn(text)
  const id = textOf(response?.id)
  if (!response || !id) return
  if (answer.reading.kind === 'same-dialect') await keepGiven(context, request, answer, givenByCode(response.output))
  if (bodyOf(request.ask).store === false) return
  const { ctx } = context
  const { userId } = request.caller
  const kept = { userId, now: epochSeconds(ctx), days: vendorDays }
  const items = arrayOf(response.output).flatMap((item) => textOf(objectOf(item)?.id) ?? [])
  const { keeping } = request.ask
  if (keeping && keeping.talkId !== '') {
    const said = arrayOf(response.output).map((item) => objectOf(item) ?? {})
    await appendToConversation(ctx, { user_id: userId, id: keeping.talkId }, [
      ...itemsOfInput(keeping.input, request.id),
      ...said,
    ])
  }
  if (answer.reading.kind === 'same-dialect') {
    const held = heldBy(context, answer)
    const talk = textOf(objectOf(response.conversation)?.id)
    await keepState(ctx.database.db, [
      stateRow({ ...kept, kind: 'response', id }, held),
      ...items.map((item) => stateRow({ ...kept, kind: 'item', id: item }, { ...held, parent: id })),
      ...(talk ? [stateRow({ ...kept, kind: 'conversation', id: talk, days: conversationDays }, held)] : []),
    ])
    return
  }
  if (!keeping || request.ask.inBackground) return
  const own = { ...kept, days: ctx.options().ResponseRetentionDays }
  const input = itemsOfInput(keeping.input, request.id)
  const body = JSON.stringify({ response, input, previous: keeping.previous })
  if (body.length > largestKept) return
  await keepState(ctx.database.db, [
    stateRow({ ...own, kind: 'response', id }, { body_sealed: ctx.secrets.seal(body) }),
    ...items.map((item) => stateRow({ ...own, kind: 'item', id: item }, { parent: id })),
  ])
}
