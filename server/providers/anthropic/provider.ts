import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import { numberOf, objectOf } from '#server/lib/json.ts'
import { endpoint } from '#server/providers/endpoint.ts'
import { ownAnthropicThoughts } from '#server/providers/foreign-signatures.ts'
import { anthropicList } from '#server/providers/model-lists.ts'
import type { CountCall, Provider, Target } from '#server/providers/provider.ts'
import { withinClaude } from './models.ts'

function headersOf(target: Target): Record<string, string> {
  const beta = target.passed('anthropic-beta')
  return {
    'x-api-key': target.key,
    'anthropic-version': target.passed('anthropic-version') ?? '2023-06-01',
    ...(beta === undefined ? {} : { 'anthropic-beta': beta }),
  }
}

/** Fields that say something about the answer are refused when only the question is counted. */
const counted = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'mcp_servers',
  'context_management',
  'compaction',
  'cache_control',
  'speed',
]

const count: CountCall = {
  dialect: anthropicMessages,
  call: (target) => ({ url: endpoint(target.baseUrl, '/v1', '/messages/count_tokens'), headers: headersOf(target) }),
  encode: (body) => Object.fromEntries(Object.entries(body).filter(([name]) => counted.includes(name))),
  read: (answer) => numberOf(objectOf(answer)?.input_tokens),
}

export const anthropic: Provider = {
  types: [14],
  operations: ['chat'],
  dialect: () => anthropicMessages,
  prepare: withinClaude,
  adjust: ownAnthropicThoughts,
  models: anthropicList,
  call: (target) => ({ url: endpoint(target.baseUrl, '/v1', '/messages'), headers: headersOf(target) }),
  count,
  stored: {
    kinds: new Set(['anthropic-files']),
    call: (target, path) => ({
      url: endpoint(target.baseUrl, '/v1', path),
      headers: { 'x-api-key': target.key, 'anthropic-version': '2023-06-01' },
    }),
  },
}
