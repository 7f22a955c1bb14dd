import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import { withinClaude } from './anthropic-models.ts'
import { endpoint } from './endpoint.ts'
import { ownAnthropicThoughts } from './foreign-proofs.ts'
import type { Provider, Target } from './provider.ts'

function headersOf(target: Target): Record<string, string> {
  const beta = target.passed('anthropic-beta')
  return {
    'x-api-key': target.key,
    'anthropic-version': target.passed('anthropic-version') ?? '2023-06-01',
    ...(beta === undefined ? {} : { 'anthropic-beta': beta }),
  }
}

export const anthropic: Provider = {
  types: [14],
  operations: ['chat'],
  dialect: () => anthropicMessages,
  prepare: withinClaude,
  adjust: ownAnthropicThoughts,
  call: (target) => ({ url: endpoint(target.baseUrl, '/v1', '/messages'), headers: headersOf(target) }),
}
