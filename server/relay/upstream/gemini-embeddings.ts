import { embeddingsFromOpenai, embeddingsToOpenai } from '#server/dialects/gemini/embeddings.ts'
import type { OperationCodec, Target } from '#server/providers/provider.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'

const asIs: OperationCodec = { encode: (body) => body, decode: (body) => body as JsonBody }

/** Embeddings asked for in Gemini's words, from a provider that gives them in others. */
export function geminiEmbeddings(codec: OperationCodec = asIs): OperationCodec {
  return {
    ...codec,
    encode: (body, target) => codec.encode({ ...embeddingsToOpenai(body), model: target.model }, target),
    decode(body, target, request) {
      const answer = codec.decode(body, target, embeddingsToOpenai(request))
      return embeddingsFromOpenai(answer, target.path.endsWith(':batchEmbedContents'))
    },
  }
}

/** The same question under the name the provider knows: it stands in every entry of a batch as well. */
export function renamedEmbeddings({ model: _, stream: __, ...own }: JsonBody, target: Target): JsonBody {
  const model = `models/${target.model}`
  if (!Array.isArray(own.requests)) return { ...own, model }
  return { ...own, requests: own.requests.map((entry) => ({ ...(entry as JsonBody), model })) }
}
