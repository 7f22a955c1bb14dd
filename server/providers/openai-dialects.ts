import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { createOpenaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { tasks } from './endpoint.ts'
import type { Provider, Target } from './provider.ts'

/** OpenAI's own servers refuse the fields others have added to the format. */
export const strictChat = createOpenaiChat({ reasoning: false, cacheControl: false, developer: true })

/** Vendors that refuse them too, and know none of OpenAI's newer roles. */
export const plainChat = createOpenaiChat({ reasoning: false, cacheControl: false, developer: false })

/** Clients of the responses API reach it untranslated where the vendor has it; the others speak chat. */
export function chatOrResponses(target: Target, chat: UpstreamDialect): UpstreamDialect {
  return target.clientDialect === openaiResponses.id ? openaiResponses : chat
}

export function taskOf(target: Target, provider: Provider): string {
  if (target.operation !== 'chat') return tasks[target.operation]
  return provider.dialect(target).id === openaiResponses.id ? '/responses' : tasks.chat
}
