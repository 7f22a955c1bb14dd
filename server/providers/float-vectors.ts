import { BadRequest, type Json } from '#server/dialects/dialect.ts'
import { arrayOf, numberOf, objectOf } from '#server/lib/json.ts'
import type { OperationCodec } from './provider.ts'

/** Little-endian float32, as OpenAI's clients ask for by default. */
export function base64Floats(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

const wantsBase64 = (request: Json): boolean => objectOf(request)?.encoding_format === 'base64'

const numbersOf = (value: unknown): number[] => arrayOf(value).map((number) => numberOf(number) ?? 0)

/** Texts to embed, for providers that take nothing else. */
export function embeddingTexts(body: Json): string[] {
  const input = objectOf(body)?.input
  const texts = typeof input === 'string' ? [input] : arrayOf(input)
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string'))
    throw new BadRequest('input must be text or a list of texts: this model does not take tokens', 'input')
  return texts as string[]
}

/** OpenAI's answer for vectors in the order of the texts. Without a count the relay counts by itself. */
export function embeddingAnswer(
  vectors: readonly unknown[],
  model: string,
  tokens: number | undefined,
  request: Json,
): Json {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: wantsBase64(request) ? base64Floats(numbersOf(vector)) : numbersOf(vector),
    })),
    model,
    usage: tokens === undefined ? undefined : { prompt_tokens: tokens, total_tokens: tokens },
  }
}

function withBase64(entry: unknown): Json {
  const item = objectOf(entry) ?? {}
  const vector = item.embedding
  return { ...item, embedding: Array.isArray(vector) ? base64Floats(numbersOf(vector)) : vector } as Json
}

/** OpenAI's shape both ways, for vendors that always answer with numbers. */
export const numbersOnly: OperationCodec = {
  encode(body) {
    const { encoding_format, ...rest } = objectOf(body) ?? {}
    return rest as Json
  },
  decode(body, _target, request) {
    const answer = objectOf(body) ?? {}
    return (wantsBase64(request) ? { ...answer, data: arrayOf(answer.data).map(withBase64) } : answer) as Json
  },
}

/** As `numbersOnly`, for vendors that may know base64: asks as the client did and repairs the answer. */
export const numbersOrBase64: OperationCodec = { ...numbersOnly, encode: (body) => body }
