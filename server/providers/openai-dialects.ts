import type { ChatRequest } from '#server/dialects/chat.ts'
import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { createOpenaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { tasks } from './endpoint.ts'
import { ownResponsesThoughts, withoutAddedFields } from './foreign-signatures.ts'
import { inlineFiles } from './inline-media.ts'
import { isResponsesOnly } from './openai/api-facts.ts'
import { oldNames, renameLimit, withinModel } from './openai/models.ts'
import { pdfsAsFiles } from './openai/pdf-pictures.ts'
import type { Body, Provider, Target, Tools } from './provider.ts'

/** OpenAI's own servers refuse the fields others have added to the format. */
export const strictChat = createOpenaiChat({ reasoning: false, cacheControl: false, developer: true })

/** Vendors that refuse them too, and know none of OpenAI's newer roles. */
export const plainChat = createOpenaiChat({ reasoning: false, cacheControl: false, developer: false })

/** Clients of the responses API reach it untranslated where the vendor has it; the others speak chat. */
export function chatOrResponses(target: Target, chat: UpstreamDialect): UpstreamDialect {
  return target.clientDialect === openaiResponses.id ? openaiResponses : chat
}

/** The same where OpenAI's models are served: the relay has chosen between the two APIs, or the model exists in one alone. */
export function chosenApi(target: Target, chat: UpstreamDialect): UpstreamDialect {
  const api = target.api?.name ?? (isResponsesOnly(target.model) ? 'responses' : 'chat')
  return api === 'responses' ? openaiResponses : chatOrResponses(target, chat)
}

export function taskOf(target: Target, provider: Provider): string {
  if (target.operation !== 'chat') return tasks[target.operation]
  return provider.dialect(target).id === openaiResponses.id ? '/responses' : tasks.chat
}

/** What OpenAI's own models need, wherever they are served: what they take, and in chat files as bytes. */
export const withinOpenai = (request: ChatRequest, target: Target, tools: Tools, provider: Provider) =>
  provider.dialect(target).id === openaiResponses.id ? withinModel(request) : inlineFiles(withinModel(request), tools)

/** With OpenAI's own field names, and without reasoning or signatures of other vendors. */
export const asOpenai = (body: Body, target: Target): Body =>
  withoutAddedFields(ownResponsesThoughts(pdfsAsFiles(renameLimit(body, target.model))))

/** The same for vendors that know only the older names. */
export const asPlain = (body: Body): Body => withoutAddedFields(oldNames(body))
