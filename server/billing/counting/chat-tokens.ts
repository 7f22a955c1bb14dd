import { estimateTokens } from './token-estimate.ts'

export interface CountableImage {
  readonly detail?: 'auto' | 'low' | 'high'
  readonly width?: number
  readonly height?: number
}

/** A message as far as counting goes; tool definitions and calls are texts too. */
export interface CountableMessage {
  readonly texts: readonly string[]
  readonly name?: string
  readonly images?: readonly CountableImage[]
}

const perMessage = 3
const perRole = 1
const perName = 1
const beforeAnswer = 3

const tileSide = 512
const longestSide = 2048
const shorterSide = 768

/** A picture of unknown size counts as four tiles, a square of 1024. */
const assumedTiles = 4

function tilesOf({ width, height }: CountableImage): number {
  if (!width || !height) return assumedTiles
  const fit = Math.min(1, longestSide / Math.max(width, height))
  const shrink = Math.min(1, shorterSide / (Math.min(width, height) * fit))
  return Math.ceil((width * fit * shrink) / tileSide) * Math.ceil((height * fit * shrink) / tileSide)
}

export function imageTokens(image: CountableImage, model: string): number {
  const [base, perTile] = model.startsWith('gpt-4o-mini') ? [2833, 5667] : [85, 170]
  return image.detail === 'low' ? base : base + perTile * tilesOf(image)
}

/** What a conversation costs beyond the tokens of its texts. */
export function chatOverhead(messages: readonly CountableMessage[], model: string): number {
  return messages.reduce((sum, { name, images = [] }) => {
    const pictures = images.reduce((tokens, image) => tokens + imageTokens(image, model), 0)
    return sum + perMessage + perRole + (name ? perName : 0) + pictures
  }, beforeAnswer)
}

export function chatTexts(messages: readonly CountableMessage[]): string[] {
  return messages.flatMap(({ texts, name }) => (name ? [...texts, name] : texts))
}

export function estimateChat(messages: readonly CountableMessage[], model: string): number {
  return chatTexts(messages).reduce((sum, text) => sum + estimateTokens(text), chatOverhead(messages, model))
}
