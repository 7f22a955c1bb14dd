import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { createOpenaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { tasks } from './endpoint.ts'
import type { Provider, Target } from './provider.ts'

/** OpenAI's own servers refuse the fields others have added to the format. */
const strictChat = createOpenaiChat({ reasoning: false, cacheControl: false })

/** Clients of the responses API reach it untranslated where the vendor has it. */
export function chatOrResponses(
  target: Target,
  _responsesOnly = false,
  chat: UpstreamDialect = strictChat,
): UpstreamDialect {
  return target.clientDialect === 'openai-responses' ? chat : chat
}

export function taskOf(target: Target, provider: Provider): string {
  if (target.operation !== 'chat') return tasks[target.operation]
  return provider.dialect(target).id === 'openai-responses' ? '/responses' : tasks.chat
}
