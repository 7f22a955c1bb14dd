import { chargeSeconds, chargeSpeech, dearestPictures } from '#server/billing/pricing/charge-each.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { quotaOf } from '#server/billing/pricing/price.ts'
import { amountOf, arrayOf, textOf } from '#server/lib/json.ts'
import { refuse } from '#server/relay/refusals.ts'
import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import { secondsOf } from './attachments.ts'
import { rentedTokens, unreadLifetime } from './cache-rent.ts'
import type { Ceiling, Measured, Offer } from './offer.ts'
import { fieldOf, speechText, spoken } from './operation-consumption.ts'
import { documentsIn, queryReadAgain } from './search-units.ts'

/** The dearest picture that is drawn token by token: high quality and large. Larger ones take more in proportion. */
const tokensPerPictureMost = 8000
const largePixels = 1024 * 1536
/** Of each view of a picture that is shown before it is done. */
const tokensPerView = 100
const transcriptTokensMost = 2000
const soundTokensPerSecond = 15

function mostTokens(size: string): number {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  return Math.ceil(tokensPerPictureMost * Math.max(1, (Number(width ?? 0) * Number(height ?? 0)) / largePixels))
}

/** Whether the list knows what pictures of a size cost; sizes beside it are paid by their tokens alone. */
function isListed({ pictures: listed }: ModelPrice, size: string): boolean {
  if (size === '' || size === 'auto') return listed.size > 0
  for (const kind of listed.keys()) if (kind.split('/').at(-1) === size) return true
  return false
}

function pictures(offer: Offer, { ask, size }: Measured): number {
  const { price, groupRatio } = offer
  const wished = { n: ask.n, size: textOf(fieldOf(ask, 'size')) ?? '', quality: textOf(fieldOf(ask, 'quality')) ?? '' }
  const drawn = dearestPictures(price, groupRatio, wished)
  const prompt = { input: size.tokens, output: 0, imageInput: size.pictures }
  if (price.unit !== 'token') return drawn
  const views = ask.n * tokensPerView * Math.ceil(amountOf(fieldOf(ask, 'partial_images')))
  const counted = views + (isListed(price, wished.size) ? 0 : ask.n * mostTokens(wished.size))
  return drawn + quotaOf(price, groupRatio, { ...prompt, output: counted, imageOutput: counted })
}

/** How long the recording of a form plays. */
export async function recordedSeconds({ payload }: Ask): Promise<number> {
  if (payload.kind !== 'form') return 60
  const file = payload.form.get('file')
  return file === null || typeof file === 'string' ? 0 : secondsOf(await file.bytes())
}

function transcript({ price, groupRatio }: Offer, { recording, size }: Measured): number {
  const byLength = chargeSeconds(price, groupRatio, { seconds: recording }).quota
  const sound = Math.ceil(recording * soundTokensPerSecond)
  const input = sound + size.tokens
  const byTokens = quotaOf(price, groupRatio, { input, output: transcriptTokensMost, audioInput: sound })
  return price.unit === 'token' ? Math.max(byLength, byTokens) : byLength
}

function cached({ price, groupRatio }: Offer, { ask, size }: Measured): number {
  const name = unreadLifetime(bodyOf(ask))
  if (name !== undefined) throw refuse('badLifetime', { name })
  return quotaOf(price, groupRatio, {
    input: rentedTokens(size.tokens, bodyOf(ask)),
    output: 0,
    audioInput: size.sound,
  })
}

function fixedCost(offer: Offer, measured: Measured): number {
  const { price, groupRatio } = offer
  const { ask, size } = measured
  switch (ask.entrance.door.operation) {
    case 'images':
    case 'image-edits':
    case 'image-variations':
    case 'predict':
      return pictures(offer, measured)
    case 'speech':
      // No text has more tokens than bytes.
      return chargeSpeech(price, groupRatio, spoken(ask, Buffer.byteLength(speechText(ask, 'instructions')))).quota
    case 'transcriptions':
    case 'translations':
      return transcript(offer, measured)
    case 'caches':
      return cached(offer, measured)
    default: {
      const { tokens, pictures: imageInput, sound: audioInput } = size
      return quotaOf(price, groupRatio, { input: tokens + queryReadAgain(ask), output: 0, imageInput, audioInput })
    }
  }
}

/** How many contents of the model's full length one request holds: each is embedded or ranked by itself. */
function contentsIn(ask: Ask): number {
  const { operation } = ask.entrance.door
  const body = bodyOf(ask)
  if (operation === 'rerank') return Math.max(1, documentsIn(body).length)
  if (operation !== 'embeddings') return 1
  return Math.max(1, arrayOf(body.requests).length, arrayOf(body.input).length)
}

/** Operations whose price is known before they are done, but for what only their vendor can measure: that is at most `mostInput`. */
export function fixedCeiling(offer: Offer, measured: Measured, preConsumedQuota: number, mostInput: number): Ceiling {
  const atLeast = (cost: number) => Math.max(cost, cost === 0 ? 0 : preConsumedQuota)
  const { size } = measured
  const known = fixedCost(offer, measured)
  if (!size.isOpen) return { least: atLeast(known), wanted: atLeast(known) }
  const all = mostInput * contentsIn(measured.ask)
  const inPictures = fixedCost(offer, { ...measured, size: { ...size, tokens: all, pictures: all, sound: 0 } })
  const inSound = fixedCost(offer, { ...measured, size: { ...size, tokens: all, pictures: 0, sound: all } })
  return { least: atLeast(known), wanted: atLeast(Math.max(known, inPictures, inSound)) }
}
