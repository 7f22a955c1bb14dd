import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import { carriedBetas } from '#server/providers/anthropic/carried-betas.ts'
import { withinClaude } from '#server/providers/anthropic/models.ts'
import { ownAnthropicThoughts, ownGeminiThoughts } from '#server/providers/foreign-signatures.ts'
import { withinGemini } from '#server/providers/gemini/models.ts'
import { inlineMedia } from '#server/providers/inline-media.ts'
import type { Body, Provider, Target } from '#server/providers/provider.ts'
import { accessToken, forgetToken, googleTokenUrl, serviceAccountOf } from './service-account.ts'

const isClaude = (model: string): boolean => model.startsWith('claude')

const regionOf = ({ other }: Pick<Target, 'other'>): string => other || 'us-central1'

/** An address of the channel's own replaces every host of Google's, that of the tokens included. */
const vendorHost = 'https://aiplatform.googleapis.com'

function hostOf(target: Target): string {
  if (target.baseUrl !== vendorHost) return target.baseUrl
  const region = regionOf(target)
  return region === 'global' ? vendorHost : `https://${encodeURIComponent(region)}-aiplatform.googleapis.com`
}

const tokenUrlOf = (target: Pick<Target, 'baseUrl'>): string =>
  target.baseUrl === vendorHost ? googleTokenUrl : `${target.baseUrl}/token`

/** Vertex puts an at sign before the day of a Claude, where Anthropic has a dash. */
const nameOf = ({ model }: Target): string => (isClaude(model) ? model.replace(/-(\d{8})$/, '@$1') : model)

function actionOf({ model, stream }: Target): string {
  if (isClaude(model)) return stream ? 'streamRawPredict' : 'rawPredict'
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

/** Claude's model stands in the path, and its version in the body. */
function asVertexClaude({ model: _, ...body }: Body): Body {
  return { anthropic_version: 'vertex-2023-10-16', ...body }
}

/** Vertex wants to read who speaks; Google's other API takes silence for the user. */
function withRoles(body: Body): Body {
  const contents = arrayOf(body.contents)
  if (contents.every((content) => textOf(objectOf(content)?.role))) return body
  return { ...body, contents: contents.map((content) => ({ role: 'user', ...objectOf(content) })) as Json[] }
}

/** Google Vertex AI: Gemini and Claude through a service account. `other` is the region. */
export const vertex: Provider = {
  types: [33],
  operations: ['chat'],
  dialect: ({ model }) => (isClaude(model) ? anthropicMessages : gemini),
  prepare: (request, target, tools) =>
    isClaude(target.model) ? withinClaude(request) : inlineMedia(withinGemini(request), tools),
  adjust: (body, target) =>
    isClaude(target.model) ? asVertexClaude(ownAnthropicThoughts(body)) : withRoles(ownGeminiThoughts(body)),
  async call(target, _body, tools) {
    const { project } = serviceAccountOf(target.key)
    const token = await accessToken(target, tokenUrlOf(target), tools)
    const publisher = isClaude(target.model) ? 'anthropic' : 'google'
    const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(regionOf(target))}`
    const betas = publisher === 'anthropic' ? carriedBetas(target.passed('anthropic-beta')) : []
    return {
      url: `${hostOf(target)}/v1/${place}/publishers/${publisher}/models/${encodeURIComponent(nameOf(target))}:${actionOf(target)}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {}),
      },
    }
  },
  async pass(target, { path }, tools) {
    const token = await accessToken(target, tokenUrlOf(target), tools)
    return { url: `${hostOf(target)}${path}`, headers: { authorization: `Bearer ${token}` } }
  },
  refresh: (fault, target) => fault.status === 401 && forgetToken(target, tokenUrlOf(target)),
}
