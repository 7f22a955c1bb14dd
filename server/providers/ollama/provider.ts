import { arrayOf, numberOf, objectOf } from '#server/lib/json.ts'
import { bearer, endpoint, tasks } from '#server/providers/endpoint.ts'
import { embeddingAnswer, embeddingTexts } from '#server/providers/float-vectors.ts'
import { inlineMedia } from '#server/providers/inline-media.ts'
import { besideVersion, ollamaList } from '#server/providers/model-lists.ts'
import type { Operation, OperationCodec, Provider } from '#server/providers/provider.ts'
import { ollama as dialect } from './dialect.ts'

const paths: Partial<Record<Operation, string>> = { chat: '/api/chat', embeddings: '/api/embed' }

const embeddings: OperationCodec = {
  encode: (body, target) => ({
    model: target.model,
    input: embeddingTexts(body),
    dimensions: numberOf(objectOf(body)?.dimensions),
  }),
  decode(body, target, request) {
    const answer = objectOf(body) ?? {}
    return embeddingAnswer(arrayOf(answer.embeddings), target.model, numberOf(answer.prompt_eval_count), request)
  },
}

export const ollama: Provider = {
  types: [30],
  operations: ['chat', 'embeddings', 'completions'],
  dialect: () => dialect,
  prepare: (request, _target, tools) => inlineMedia(request, tools),
  call(target) {
    const path = paths[target.operation]
    return {
      url: path ? `${besideVersion(target.baseUrl)}${path}` : endpoint(target.baseUrl, '/v1', tasks[target.operation]),
      headers: target.key === '' ? {} : bearer(target.key),
    }
  },
  codecs: { embeddings },
  models: ollamaList,
}
