import { gemini as dialect } from '#server/dialects/gemini/gemini.ts'
import { ownGeminiThoughts } from '#server/providers/foreign-signatures.ts'
import { inlineMedia } from '#server/providers/inline-media.ts'
import { geminiList } from '#server/providers/model-lists.ts'
import type { Provider, Target } from '#server/providers/provider.ts'
import { geminiEmbeddings, geminiImages, isImagen } from './codecs.ts'
import { withinGemini } from './models.ts'

function actionOf(target: Target): string {
  if (target.operation === 'embeddings')
    return target.clientDialect === 'gemini' && target.path.endsWith(':embedContent')
      ? 'embedContent'
      : 'batchEmbedContents'
  if (target.operation === 'images' && isImagen(target.model)) return 'predict'
  return target.operation === 'chat' && target.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

/** `other` is the version of the API. */
export const gemini: Provider = {
  types: [24],
  operations: ['chat', 'embeddings', 'images'],
  dialect: () => dialect,
  adjust: ownGeminiThoughts,
  models: geminiList,
  prepare: (request, _target, tools) => inlineMedia(withinGemini(request), tools),
  call: (target) => ({
    url: `${target.baseUrl}/${target.other || 'v1beta'}/models/${encodeURIComponent(target.model)}:${actionOf(target)}`,
    headers: { 'x-goog-api-key': target.key },
  }),
  codecs: { embeddings: geminiEmbeddings, images: geminiImages },
}
