/** Classes of tokens that public price lists charge differently. */
export const tokenClasses = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWriteLong',
  'audioInput',
  'audioOutput',
  'imageInput',
  'imageOutput',
  'reasoning',
  'audioCacheRead',
] as const

export type TokenClass = (typeof tokenClasses)[number]

/** A number for each class. */
export type TokenAmounts = Readonly<Record<TokenClass, number>>
