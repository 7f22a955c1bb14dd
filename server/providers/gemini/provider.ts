import { gemini as dialect } from '#server/dialects/gemini/gemini.ts'
import { numberOf, objectOf } from '#server/lib/json.ts'
import { ownGeminiThoughts } from '#server/providers/foreign-signatures.ts'
import { inlineMedia } from '#server/providers/inline-media.ts'
import { geminiList } from '#server/providers/model-lists.ts'
import type { CountCall, Provider, Target } from '#server/providers/provider.ts'
import { geminiCaches, geminiEmbeddings, geminiImages, geminiPredictions, isImagen } from './codecs.ts'
import { withinGemini } from './models.ts'

function actionOf(target: Target): string {
  if (target.operation === 'embeddings')
    return target.clientDialect === 'gemini' && target.path.endsWith(':embedContent')
      ? 'embedContent'
      : 'batchEmbedContents'
  if (target.operation === 'predict-long') return 'predictLongRunning'
  if (target.operation === 'predict' || (target.operation === 'images' && isImagen(target.model))) return 'predict'
  return target.operation === 'chat' && target.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

const versionOf = (target: Pick<Target, 'other'>): string => target.other || 'v1beta'

function pathOf(target: Target): string {
  const version = versionOf(target)
  if (target.operation === 'caches') return `/${version}/cachedContents`
  if (target.operation === 'live')
    return `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  return `/${version}/models/${encodeURIComponent(target.model)}:${actionOf(target)}`
}

const count: CountCall = {
  dialect,
  call: (target) => ({
    url: `${target.baseUrl}/${versionOf(target)}/models/${encodeURIComponent(target.model)}:countTokens`,
    headers: { 'x-goog-api-key': target.key },
  }),
  encode: ({ model: _, stream: __, ...body }, target) => ({
    generateContentRequest: { ...body, model: `models/${target.model}` },
  }),
  read: (answer) => numberOf(objectOf(answer)?.totalTokens),
}

/** `other` is the version of the API. */
export const gemini: Provider = {
  types: [24],
  operations: ['chat', 'embeddings', 'images', 'caches', 'live', 'predict', 'predict-long'],
  dialect: () => dialect,
  adjust: ownGeminiThoughts,
  models: geminiList,
  prepare: (request, _target, tools) => inlineMedia(withinGemini(request), tools),
  call: (target) => ({
    url: `${target.baseUrl}${pathOf(target)}`,
    headers: { 'x-goog-api-key': target.key },
  }),
  count,
  stored: {
    kinds: new Set(['cachedContents', 'gemini-files']),
    call: (target, path) => ({
      url: `${target.baseUrl}/${versionOf(target)}${path}`,
      headers: { 'x-goog-api-key': target.key },
    }),
    media: (target, way, path) => ({
      url: `${target.baseUrl}/${way}/${versionOf(target)}${path}`,
      headers: { 'x-goog-api-key': target.key },
    }),
  },
  codecs: {
    embeddings: geminiEmbeddings,
    images: geminiImages,
    caches: geminiCaches,
    predict: geminiPredictions,
    'predict-long': geminiPredictions,
  },
}
