import type { ChatRequest, Message } from '#server/dialects/chat.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { chatFields } from '#server/dialects/openai-chat/request-decode.ts'
import type { ApiChoice } from '#server/providers/provider.ts'
import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import { type Overrides, overriddenFields } from '#server/relay/routing/overrides.ts'

/** A request that is asked by responses though its client does not speak them; the channel's overrides speak of chat. */
export function movedRequest(
  asked: ChatRequest,
  ask: Ask,
  { reason, withoutThoughts }: ApiChoice,
  overrides: Overrides | null,
): ChatRequest {
  const changed = overrides ? withChatOverrides(asked, ask, overrides) : asked
  const messages = withoutThoughts ? changed.messages.map(withoutThought) : changed.messages
  const proven: ChatRequest = { ...changed, messages, wantsProofs: true }
  // Chat shows no thoughts: only who wishes for them gets them, since vendors do not give them to everybody.
  if (!proven.reasoning || reason === 'only') return proven
  return { ...proven, reasoning: { ...proven.reasoning, show: proven.reasoning.show ?? false } }
}

const withoutThought = (message: Message): Message =>
  message.role === 'assistant'
    ? { ...message, parts: message.parts.filter(({ type }) => type !== 'reasoning') }
    : message

function withChatOverrides(asked: ChatRequest, ask: Ask, overrides: Overrides): ChatRequest {
  const isChat = ask.entrance.door.dialect.id === openaiChat.id
  const fields = isChat ? bodyOf(ask) : openaiChat.encodeRequest(asked)
  const { model, stream, maxOutputTokens: most } = asked
  const changed = openaiChat.decodeRequest(overriddenFields(fields as Record<string, unknown>, overrides))
  const limit = most === undefined ? changed.maxOutputTokens : Math.min(most, changed.maxOutputTokens ?? most)
  return {
    ...changed,
    model,
    stream,
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...withShow(asked.reasoning, changed.reasoning),
  }
}

/** Chat has no word for whether thoughts are shown. */
function withShow(asked: ChatRequest['reasoning'], changed: ChatRequest['reasoning']): Pick<ChatRequest, 'reasoning'> {
  return asked?.show === undefined ? {} : { reasoning: { ...changed, show: asked.show } }
}

const hasBeenRead = (name: string): boolean => chatFields.has(name) && name !== 'reasoning'

const unread = (fields: Overrides['set']): Overrides['set'] =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !hasBeenRead(name)))

/** What chat knows nothing of, for the body that was written anew. */
export const laterOverrides = (overrides: Overrides | null): Overrides | null =>
  overrides && {
    set: unread(overrides.set),
    default: unread(overrides.default),
    remove: overrides.remove.filter((name) => !hasBeenRead(name)),
  }
