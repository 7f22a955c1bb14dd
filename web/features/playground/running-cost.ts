import type { CatalogueModel } from '#shared/api/models.ts'
import type { ChatMessage } from '#web/lib/chat/chat-stream.ts'

/** Quota for a million tokens at a dollar a million. */
const quotaPerUsd = 500_000
const million = 1_000_000
/** What a token is long in most texts. */
const bytesPerToken = 4

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

interface Size {
  /** Bytes of all texts. */
  bytes: number
  hasPictures: boolean
}

const sizeOf = (messages: readonly ChatMessage[]): Size =>
  messages.reduce<Size>(
    ({ bytes, hasPictures }, { content }) => {
      if (typeof content === 'string') return { bytes: bytes + bytesOf(content), hasPictures }
      const texts = content.map((part) => (part.type === 'text' ? bytesOf(part.text) : 0))
      return {
        bytes: bytes + texts.reduce((sum, length) => sum + length, 0),
        hasPictures: hasPictures || content.some(({ type }) => type === 'image_url'),
      }
    },
    { bytes: 0, hasPictures: false },
  )

type Priced = Pick<CatalogueModel, 'price' | 'max_output'>

function worth({ price }: Priced, input: number, output: number): number {
  const { input_usd, output_usd } = price.tiers.findLast(({ above }) => input > above) ?? price
  return Math.ceil(((input * (input_usd ?? 0) + output * (output_usd ?? 0)) / million) * quotaPerUsd)
}

/**
 * What a request can cost at most, as quota; a token is never shorter than a byte. Unknown with pictures, without a
 * bound on the answer, and where the model is not sold by tokens.
 */
export function costAtMost(model: Priced, messages: readonly ChatMessage[], maxTokens: number | undefined) {
  const { bytes, hasPictures } = sizeOf(messages)
  const output = maxTokens ?? model.max_output
  if (hasPictures || output === null || model.price.unit !== 'token') return undefined
  /** Marks of the dialect around each message. */
  const around = 16 * (messages.length + 1)
  return worth(model, bytes + around, output)
}

/** What an answer that is still coming has cost by now, estimated from its length. */
export function costSoFar(model: Priced, messages: readonly ChatMessage[], answer: string): number | undefined {
  const { bytes, hasPictures } = sizeOf(messages)
  if (hasPictures || model.price.unit !== 'token') return undefined
  return worth(model, bytes / bytesPerToken, bytesOf(answer) / bytesPerToken)
}
