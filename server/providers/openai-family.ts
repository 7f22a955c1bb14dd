import type { UpstreamDialect } from '#server/dialects/dialect.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { bearer, endpoint, tasks } from './endpoint.ts'
import { numbersOnly } from './float-vectors.ts'
import { openaiList } from './model-lists.ts'
import { oldNames } from './openai/models.ts'
import type { Operation, Provider, Target } from './provider.ts'

type Family = Pick<Provider, 'types'> &
  Partial<Omit<Provider, 'types' | 'call' | 'dialect'>> & {
    /** Bearer only, unless said here. */
    readonly headers?: (target: Target) => Record<string, string>
    /** Before the task; `/v1` unless said here. */
    readonly version?: string
    readonly url?: (target: Target) => string
    readonly dialect?: (target: Target) => UpstreamDialect
  }

const chatOnly: readonly Operation[] = ['chat']

/** A vendor that speaks OpenAI's shape: its file names what differs. */
export function openaiFamily({ headers, version = '/v1', url, ...family }: Family): Provider {
  return {
    operations: chatOnly,
    dialect: () => openaiChat,
    adjust: oldNames,
    codecs: { embeddings: numbersOnly },
    models: openaiList(version),
    ...family,
    call: (target) => ({
      url: url?.(target) ?? endpoint(target.baseUrl, version, tasks[target.operation]),
      headers: headers?.(target) ?? bearer(target.key),
    }),
  }
}
