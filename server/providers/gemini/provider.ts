import { gemini as dialect } from '#server/dialects/gemini/gemini.ts'
import { isYoutube } from '#server/dialects/gemini/media.ts'
import { numberOf, objectOf } from '#server/lib/json.ts'
import { ownGeminiThoughts } from '#server/providers/foreign-signatures.ts'
import { inlineMedia } from '#server/providers/inline-media.ts'
import { geminiList } from '#server/providers/model-lists.ts'
import type { CountCall, Provider, Target } from '#server/providers/provider.ts'
import { addressOf, versioned } from './address.ts'
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

function urlOf(target: Target): string {
  const { root, version } = addressOf(target)
  if (target.operation === 'caches') return `${root}/${version}/cachedContents`
  if (target.operation === 'live')
    return `${root}/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  return `${root}/${version}/models/${encodeURIComponent(target.model)}:${actionOf(target)}`
}

const count: CountCall = {
  dialect,
  call: (target) => ({
    url: `${versioned(target)}/models/${encodeURIComponent(target.model)}:countTokens`,
    headers: { 'x-goog-api-key': target.key },
  }),
  encode: ({ model: _, stream: __, ...body }, target) => ({
    generateContentRequest: { ...body, model: `models/${target.model}` },
  }),
  read: (answer) => numberOf(objectOf(answer)?.totalTokens),
}

export const gemini: Provider = {
  types: [24],
  operations: ['chat', 'embeddings', 'images', 'caches', 'live', 'predict', 'predict-long'],
  dialect: () => dialect,
  adjust: ownGeminiThoughts,
  models: geminiList,
  prepare: (request, _target, tools) => inlineMedia(withinGemini(request), tools, ({ url }) => !isYoutube(url)),
  call: (target) => ({
    url: urlOf(target),
    headers: { 'x-goog-api-key': target.key },
  }),
  count,
  stored: {
    kinds: new Set(['cachedContents', 'gemini-files']),
    call: (target, path) => ({
      url: `${versioned(target)}${path}`,
      headers: { 'x-goog-api-key': target.key },
    }),
    media(target, way, path) {
      const { root, version } = addressOf(target)
      return { url: `${root}/${way}/${version}${path}`, headers: { 'x-goog-api-key': target.key } }
    },
  },
  codecs: {
    embeddings: geminiEmbeddings,
    images: geminiImages,
    caches: geminiCaches,
    predict: geminiPredictions,
    'predict-long': geminiPredictions,
  },
}
