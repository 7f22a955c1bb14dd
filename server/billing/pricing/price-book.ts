import type { OptionValues } from '#shared/options.ts'
import { createPriceBook, type PriceBook } from './price.ts'

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
