import type { OptionValues } from '#shared/options.ts'
import type { PriceShelf } from './own-prices.ts'
import { createPriceBook, type PriceBook, priceBookFrom } from './price.ts'

const books = new WeakMap<OptionValues, PriceBook>()

/** The prices these options make; computed once for each state of the options. */
export function priceBookOf(options: OptionValues): PriceBook {
  const known = books.get(options)
  if (known) return known
  const book = createPriceBook({
    modelRatio: options.ModelRatio,
    completionRatio: options.CompletionRatio,
    groupRatio: options.GroupRatio,
    cacheRatio: options.CacheRatio,
    cacheWriteRatio: options.CacheWriteRatio,
    audioRatio: options.AudioRatio,
    audioCompletionRatio: options.AudioCompletionRatio,
    imageRatio: options.ImageRatio,
    requestPrice: options.RequestPrice,
  })
  books.set(options, book)
  return book
}

/** The prices that ratios make which are not stored. */
export const priceBookOfShelf = (shelf: PriceShelf, groupRatio: OptionValues['GroupRatio']): PriceBook =>
  priceBookFrom({
    model: shelf.ModelRatio,
    completion: shelf.CompletionRatio,
    cacheRead: shelf.CacheRatio,
    cacheWrite: shelf.CacheWriteRatio,
    audio: shelf.AudioRatio,
    audioCompletion: shelf.AudioCompletionRatio,
    image: shelf.ImageRatio,
    perRequest: shelf.RequestPrice,
    group: new Map(Object.entries(groupRatio)),
  })
