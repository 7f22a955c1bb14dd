import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { dashboardBalance } from '#server/providers/balances.ts'
import { allOperations, bearer, endpoint } from '#server/providers/endpoint.ts'
import { numbersOrBase64 } from '#server/providers/float-vectors.ts'
import { asOpenai, chatOrResponses, strictChat, taskOf, withinOpenai } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Target } from '#server/providers/provider.ts'
import { isResponsesOnly } from './models.ts'

/** Cloudflare's gateway has the version in front of the vendor's name. */
const isCloudflare = (target: Target): boolean => target.baseUrl.startsWith('https://gateway.ai.cloudflare.com')

export const openai = openaiFamily({
  types: [1],
  operations: allOperations,
  dialect: (target) => (isResponsesOnly(target.model) ? openaiResponses : chatOrResponses(target, strictChat)),
  url: (target) => endpoint(target.baseUrl, isCloudflare(target) ? '' : '/v1', taskOf(target, openai)),
  headers: (target) => ({ ...bearer(target.key), ...betaOf(target) }),
  prepare: (request, target, tools) => withinOpenai(request, target, tools, openai),
  adjust: asOpenai,
  codecs: { embeddings: numbersOrBase64 },
  balance: dashboardBalance,
})

function betaOf(target: Target): Record<string, string> {
  const beta = target.passed('openai-beta')
  return beta === undefined ? {} : { 'openai-beta': beta }
}
