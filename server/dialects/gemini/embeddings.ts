import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { arrayOf, compact, inOrder, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { field, objectField } from './either-case.ts'

function textOfContent(content: unknown): string {
  const parts = arrayOf(objectOf(content)?.parts)
  const texts = parts.map((part) => textOf(objectOf(part)?.text))
  if (texts.length === 0 || !texts.every((text) => text !== undefined))
    throw new BadRequest('content.parts must hold texts: this model embeds nothing else', 'content')
  return texts.join('')
}

/** What `embedContent` or `batchEmbedContents` asks for, in OpenAI's shape. */
export function embeddingsToOpenai(body: unknown): { [key: string]: Json | undefined } {
  const whole = objectOf(body) ?? {}
  const asked = Array.isArray(whole.requests) ? whole.requests.map((entry) => objectOf(entry) ?? {}) : [whole]
  if (asked.length === 0) throw new BadRequest('requests must hold at least one request', 'requests')
  const [first] = asked
  const config = objectField(first, 'embedContentConfig')
  return compact({
    input: asked.map((entry) => textOfContent(entry.content)),
    dimensions: numberOf(field(first, 'outputDimensionality') ?? field(config, 'outputDimensionality')),
  })
}

/** OpenAI's answer as Gemini gives it: a list of embeddings, or the one that was asked for. */
export function embeddingsFromOpenai(body: unknown, isBatch: boolean): Json {
  const answer = objectOf(body) ?? {}
  const embeddings = inOrder(answer.data, 'index').map((entry) => ({ values: arrayOf(entry.embedding) as Json }))
  const tokens = numberOf(objectOf(answer.usage)?.prompt_tokens)
  return compact({
    ...(isBatch ? { embeddings } : { embedding: embeddings[0] }),
    usageMetadata: tokens === undefined ? undefined : { promptTokenCount: tokens, totalTokenCount: tokens },
  })
}
