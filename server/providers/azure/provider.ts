import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { allOperations, modelMark, pathSegment, splitBase } from '#server/providers/endpoint.ts'
import { numbersOrBase64 } from '#server/providers/float-vectors.ts'
import { azureList } from '#server/providers/model-lists.ts'
import { isResponsesOnly } from '#server/providers/openai/api-facts.ts'
import { runsItsTools } from '#server/providers/openai/hosted-tools.ts'
import { asOpenai, chosenApi, strictChat, taskOf, withinOpenai } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Target } from '#server/providers/provider.ts'

/** The channel's alone: it decides which address and which dialect there is. */
const versionOf = (target: Pick<Target, 'other'>): string => target.other.trim()

/** The client's wish, then the channel's, as a value and nothing else. The address without versions takes no dates. */
function versionQuery(target: Target): string {
  const own = versionOf(target)
  const wish = target.query().get('api-version') || own
  if (!isUndated(own)) return `?${new URLSearchParams({ 'api-version': wish })}`
  const version = startsWithYear.test(wish) ? own : wish
  return version === '' || version === 'v1' ? '' : `?${new URLSearchParams({ 'api-version': version })}`
}

const startsWithYear = /^\d{4}-/

/** The address that has no versions to choose from. */
const isUndated = (version: string): boolean => version === '' || version === 'v1' || version === 'preview'

/** Versions are dates, or names of what is newest. */
const hasResponses = (version: string): boolean => !startsWithYear.test(version) || version >= '2025-03'

const deployments = '/openai/deployments'
const asNamed = `${deployments}/${modelMark}`

/** Deployments are named after their model without its dots, unless the address says that they have its very name. */
const deploymentOf = ({ baseUrl, model }: Target): string =>
  baseUrl.endsWith(asNamed) ? model : model.replaceAll('.', '')

/** Where all of the resource is; its pages show the address of its newest service too. */
const resourceOf = ({ baseUrl }: Pick<Target, 'baseUrl'>): string =>
  baseUrl.endsWith(asNamed) ? baseUrl.slice(0, -asNamed.length) : splitBase(baseUrl, /\/openai\/v1$/).root

function urlOf(target: Target): string {
  const query = versionQuery(target)
  const resource = resourceOf(target)
  const task = taskOf(target, azure)
  if (isUndated(versionOf(target))) return `${resource}/openai/v1${task}${query}`
  if (target.operation === 'videos') return `${resource}/openai/v1${task}`
  if (target.operation === 'realtime') {
    return `${resource}/openai/realtime${query}&${new URLSearchParams({ deployment: deploymentOf(target) })}`
  }
  if (task === '/responses') return `${resource}/openai/responses${query}`
  const isCloudflare = resource.startsWith('https://gateway.ai.cloudflare.com')
  const prefix = isCloudflare ? '' : deployments
  return `${resource}${prefix}/${pathSegment(deploymentOf(target))}${task}${query}`
}

export const azure = openaiFamily({
  types: [3],
  operations: allOperations.filter((operation) => operation !== 'moderations' && operation !== 'rerank'),
  dialect(target) {
    if (!target.api && isResponsesOnly(target.model)) return openaiResponses
    return hasResponses(versionOf(target)) ? chosenApi(target, strictChat) : strictChat
  },
  apis: (target) => (isUndated(versionOf(target)) ? ['chat', 'responses'] : ['chat']),
  url: urlOf,
  headers: (target) => ({ 'api-key': target.key }),
  prepare: (request, target, tools) => withinOpenai(request, target, tools, azure),
  adjust: asOpenai,
  passesThrough: runsItsTools,
  codecs: { embeddings: numbersOrBase64 },
  stored: {
    kinds: new Set(['responses']),
    call: (target, path) => ({ url: `${resourceOf(target)}/openai/v1${path}`, headers: { 'api-key': target.key } }),
  },
  models: (target, tools) => azureList({ ...target, baseUrl: resourceOf(target) }, tools),
})
