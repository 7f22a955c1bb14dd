import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { numberOf, objectOf } from '#server/lib/json.ts'
import { dashboardBalance } from '#server/providers/balances.ts'
import { allOperations, bearer, endpoint } from '#server/providers/endpoint.ts'
import { numbersOrBase64 } from '#server/providers/float-vectors.ts'
import { asOpenai, chosenApi, strictChat, taskOf, withinOpenai } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { CountCall, Target } from '#server/providers/provider.ts'
import { runsItsTools } from './hosted-tools.ts'

/** Cloudflare's gateway has the version in front of the vendor's name. */
const isCloudflare = ({ baseUrl }: Pick<Target, 'baseUrl'>): boolean =>
  baseUrl.startsWith('https://gateway.ai.cloudflare.com')

const pathOf = (target: Pick<Target, 'baseUrl'>, path: string): string =>
  endpoint(target.baseUrl, isCloudflare(target) ? '' : '/v1', path)

/** Fields of a response that its count does not know. */
const uncounted = [
  'stream',
  'stream_options',
  'store',
  'max_output_tokens',
  'include',
  'background',
  'metadata',
  'user',
  'safety_identifier',
]

const count: CountCall = {
  dialect: openaiResponses,
  call: (target) => ({ url: pathOf(target, '/responses/input_tokens'), headers: bearer(target.key) }),
  encode: (body) => Object.fromEntries(Object.entries(body).filter(([name]) => !uncounted.includes(name))),
  read: (answer) => numberOf(objectOf(answer)?.input_tokens),
}

export const openai = openaiFamily({
  types: [1],
  operations: allOperations,
  dialect: (target) => chosenApi(target, strictChat),
  apis: () => ['chat', 'responses'],
  url: (target) => pathOf(target, taskOf(target, openai)),
  headers: (target) => ({ ...bearer(target.key), ...betaOf(target) }),
  prepare: (request, target, tools) => withinOpenai(request, target, tools, openai),
  adjust: asOpenai,
  passesThrough: runsItsTools,
  codecs: { embeddings: numbersOrBase64 },
  balance: dashboardBalance,
  count,
  stored: {
    kinds: new Set(['responses', 'conversations', 'openai-files']),
    call: (target, path) => ({ url: pathOf(target, path), headers: bearer(target.key) }),
  },
})

function betaOf(target: Target): Record<string, string> {
  const beta = target.passed('openai-beta')
  return beta === undefined ? {} : { 'openai-beta': beta }
}
