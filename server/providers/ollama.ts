import { ollama as dialect } from '#server/dialects/ollama.ts'
import { arrayOf, numberOf, objectOf } from '#server/lib/json.ts'
import { bearer, endpoint, tasks } from './endpoint.ts'
import { embeddingAnswer, embeddingTexts } from './float-vectors.ts'
import { inlineMedia } from './inline-media.ts'
import type { Operation, OperationCodec, Provider } from './provider.ts'

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
      url: path ? `${target.baseUrl}${path}` : endpoint(target.baseUrl, '/v1', tasks[target.operation]),
      headers: target.key === '' ? {} : bearer(target.key),
    }
  },
  codecs: { embeddings },
}
