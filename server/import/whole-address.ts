import { withoutTrailing } from '#server/lib/text/without-trailing.ts'

const version = /\/v\d+[a-z\d]*$/i

/**
 * An address from which our custom channels reach `<base><path>/chat/completions`: as it is when it ends with a version, and
 * with the task itself otherwise, which says that nothing is put in between.
 */
export function addressWith(base: string, path: string): string {
  const root = `${withoutTrailing(base, '/')}${path}`
  if (root === '') return ''
  return version.test(root) ? root : `${root}/chat/completions`
}

/** An address to which our custom channels send everything as it is. */
export const wholeAddress = (address: string): string => `${address}#`

/** An Azure resource whose deployments are asked for by the very names of the models, where that makes a difference. */
export const withNamedDeployments = (base: string, ...names: readonly string[]): string =>
  base !== '' && names.some((name) => name.includes('.'))
    ? `${withoutTrailing(base, '/')}/openai/deployments/{model}`
    : base

/** A MiniMax channel with an address of its own is asked at the path its program put behind it. */
export const miniMaxAddress = (own: string): string =>
  own === '' ? '' : `${withoutTrailing(own, '/')}/v1/text/chatcompletion_v2`

/** Said of Cohere channels with an address of their own. */
export const cohereElsewhere =
  'Cohere is asked in OpenAI’s shape here, at /compatibility/v1 below the same address: see that it is passed on there'
