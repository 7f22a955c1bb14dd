import { ceiling, type Decimal, decimal, times, toNumber } from './decimal.ts'
import type { ModelPrice } from './model-price.ts'
import type { Charge } from './price.ts'

interface Pieces {
  readonly by: 'pictures' | 'characters' | 'seconds' | 'requests'
  readonly amount: number
  readonly each: Decimal
  readonly size?: string
  readonly quality?: string
}

/** What is sold by the piece: pictures, characters, seconds, requests. */
function chargeEach(price: ModelPrice, groupRatio: number, { by, amount, each, ...kind }: Pieces): Charge {
  const counted = amount > 0 ? decimal(amount) : decimal(0)
  const product = times(times(counted, each), decimal(groupRatio))
  const { model, source } = price
  return {
    quota: ceiling(product.units, product.decimals),
    explanation: { by, model, source, groupRatio, count: toNumber(counted), each: toNumber(each), ...kind },
  }
}

export interface Pictures {
  readonly n: number
  readonly size?: string
  readonly quality?: string
}

/** A size or quality the list does not know costs what its dearest picture costs. */
export function pricePerPicture({ pictures, perPicture }: ModelPrice, { size, quality }: Pictures): Decimal {
  const [ordinary] = pictures.keys()
  if (ordinary === undefined) return perPicture
  const ordinarySize = ordinary.split('/').at(-1) ?? ordinary
  const wantedSize = size && size !== 'auto' ? size : ordinarySize
  const wantedQuality = quality ?? ordinary.split('/').at(0)
  const known = pictures.get(`${wantedQuality}/${wantedSize}`) ?? pictures.get(wantedSize)
  return (
    known ?? [...pictures.values()].reduce((dearest, each) => (toNumber(each) > toNumber(dearest) ? each : dearest))
  )
}

export function chargePictures(price: ModelPrice, groupRatio: number, pictures: Pictures): Charge {
  const { n, size, quality } = pictures
  const kind = { ...(size ? { size } : {}), ...(quality ? { quality } : {}) }
  return chargeEach(price, groupRatio, { by: 'pictures', amount: n, each: pricePerPicture(price, pictures), ...kind })
}

/** The most such pictures may cost: what the request leaves open counts as the dearest choice. */
export function dearestPictures(price: ModelPrice, groupRatio: number, wished: Pictures): number {
  const { n, size = '', quality = '' } = wished
  const isFree = (wish: string) => price.unit === 'token' && (wish === '' || wish === 'auto')
  const matching = [...price.pictures].filter(([kind]) => {
    const parts = kind.split('/')
    return (isFree(size) || parts.at(-1) === size) && (isFree(quality) || parts.length < 2 || parts[0] === quality)
  })
  const each = Math.max(...matching.map(([, cost]) => toNumber(cost)))
  if (matching.length === 0 || (!isFree(size) && !isFree(quality)))
    return chargePictures(price, groupRatio, { n, ...(size ? { size } : {}), ...(quality ? { quality } : {}) }).quota
  return chargeEach(price, groupRatio, { by: 'pictures', amount: n, each: decimal(each) }).quota
}

/** What was spoken. */
export interface Speech {
  readonly characters: number
  /** How much longer than usual it was spoken. */
  readonly slowness?: number
  /** Tokens of what was said about how to speak. */
  readonly instructions?: number
}

/** As many characters as it costs: speech that is paid by its tokens costs by how long it sounds, and its instructions are input. */
export function charactersOf(
  { unit, perCharacter, tiers: [{ modelRatio }] }: ModelPrice,
  { characters, slowness = 1, instructions = 0 }: Speech,
): number {
  if (unit !== 'token') return characters
  const each = toNumber(perCharacter)
  return Math.ceil(characters * slowness + (each > 0 ? (instructions * modelRatio) / each : 0))
}

export function chargeSpeech(price: ModelPrice, groupRatio: number, speech: Speech): Charge {
  return chargeEach(price, groupRatio, {
    by: 'characters',
    amount: charactersOf(price, speech),
    each: price.perCharacter,
  })
}

export function chargeSeconds(price: ModelPrice, groupRatio: number, audio: { readonly seconds: number }): Charge {
  return chargeEach(price, groupRatio, { by: 'seconds', amount: audio.seconds, each: price.perSecond })
}

/** What requests cost of a model that is sold by the request; a long ranking is several. */
export function chargeRequest(price: ModelPrice, groupRatio: number, each: Decimal, amount = 1): Charge {
  return chargeEach(price, groupRatio, { by: 'requests', amount, each })
}
