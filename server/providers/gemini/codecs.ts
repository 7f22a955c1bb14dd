import type { Json } from '#server/dialects/dialect.ts'
import { faultOfKind } from '#server/dialects/fault.ts'
import { arrayOf, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'
import { embeddingAnswer, embeddingTexts } from '#server/providers/float-vectors.ts'
import { type OperationCodec, UpstreamFault } from '#server/providers/provider.ts'

/** Older models report no usage: the relay counts. */
export const geminiEmbeddings: OperationCodec = {
  encode(body, target) {
    const outputDimensionality = numberOf(objectOf(body)?.dimensions)
    const model = `models/${target.model}`
    return {
      requests: embeddingTexts(body).map((text) => ({ model, content: { parts: [{ text }] }, outputDimensionality })),
    }
  },
  decode(body, target, request) {
    const vectors = arrayOf(objectOf(body)?.embeddings).map((entry) => objectOf(entry)?.values)
    const tokens = numberOf(objectOf(objectOf(body)?.usageMetadata)?.promptTokenCount)
    return embeddingAnswer(vectors, target.model, tokens || undefined, request)
  },
}

export const isImagen = (model: string): boolean => model.startsWith('imagen')

const aspectRatios = words<string>({
  '1024x1024': '1:1',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
  '1792x1024': '16:9',
  '1024x1792': '9:16',
})

function picturesOf(body: unknown): string[] {
  const answer = objectOf(body) ?? {}
  const predicted = arrayOf(answer.predictions).map((entry) => textOf(objectOf(entry)?.bytesBase64Encoded))
  const parts = arrayOf(answer.candidates).flatMap((entry) => arrayOf(objectOf(objectOf(entry)?.content)?.parts))
  const drawn = parts.map((part) => textOf(objectOf(objectOf(part)?.inlineData)?.data))
  return [...predicted, ...drawn].filter((data) => data !== undefined)
}

/** Imagen predicts; Gemini's picture models draw inside a conversation. */
export const geminiImages: OperationCodec = {
  encode(body, target): Json {
    const { prompt, n, size } = objectOf(body) ?? {}
    const text = textOf(prompt) ?? ''
    const aspectRatio = aspectRatios[textOf(size) ?? '']
    if (isImagen(target.model))
      return { instances: [{ prompt: text }], parameters: { sampleCount: numberOf(n) ?? 1, aspectRatio } }
    return {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: aspectRatio === undefined ? undefined : { aspectRatio },
      },
    }
  },
  decode(body) {
    const pictures = picturesOf(body)
    if (pictures.length === 0) throw new UpstreamFault(faultOfKind('filtered', 'The model answered without a picture.'))
    const usage = objectOf(objectOf(body)?.usageMetadata)
    return {
      created: Math.floor(Date.now() / 1000),
      data: pictures.map((b64_json) => ({ b64_json })),
      usage: usage && {
        input_tokens: numberOf(usage.promptTokenCount),
        input_tokens_details: { text_tokens: numberOf(usage.promptTokenCount), image_tokens: 0 },
        output_tokens: (numberOf(usage.candidatesTokenCount) ?? 0) + (numberOf(usage.thoughtsTokenCount) ?? 0),
        output_tokens_details: {
          image_tokens: numberOf(usage.candidatesTokenCount) ?? 0,
          text_tokens: numberOf(usage.thoughtsTokenCount) ?? 0,
          reasoning_tokens: numberOf(usage.thoughtsTokenCount) ?? 0,
        },
        total_tokens: numberOf(usage.totalTokenCount),
      },
    }
  },
}

/** Content Google keeps: its model under the name Google knows. */
export const geminiCaches: OperationCodec = {
  encode(body, target) {
    const { stream: _, ...content } = objectOf(body) ?? {}
    return { ...content, model: `models/${target.model}` } as Json
  },
  decode: (body) => body as Json,
}

/** Predictions pass as they are: the model stands in the address. */
export const geminiPredictions: OperationCodec = {
  encode(body) {
    const { stream: _, model: __, ...asked } = objectOf(body) ?? {}
    return asked as Json
  },
  decode: (body) => body as Json,
}
