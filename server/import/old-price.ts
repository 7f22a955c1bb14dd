/** Output and special input are priced against plain input; a ratio of 1 is $2 a million tokens. */
export interface OldTokenPrice {
  readonly ratio: number
  readonly completionRatio: number
  readonly cacheRatio: number
  readonly createCacheRatio: number
  readonly imageRatio: number
  readonly audioRatio: number
  /** Sound in the answer, against sound in the prompt. */
  readonly audioCompletionRatio: number
}

/** What another program takes for a model: by tokens, or so many dollars a request. */
export type OldPrice = OldTokenPrice | { readonly perRequest: number }

/** A program that knows nothing of caches, pictures and sound takes for them what it takes for text. */
export const plainPrice = (ratio: number, completionRatio: number): OldTokenPrice => ({
  ratio,
  completionRatio,
  cacheRatio: 1,
  createCacheRatio: 1,
  imageRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: completionRatio,
})

export type Ratios = ReadonlyMap<string, number>
