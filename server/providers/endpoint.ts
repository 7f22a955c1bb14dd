import { BadRequest } from '#server/dialects/dialect.ts'
import { memoize } from '#server/lib/memoize.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'
import type { Operation } from './provider.ts'

/** Where OpenAI's shape has each operation, below the version. */
export const tasks: Record<Operation, string> = {
  chat: '/chat/completions',
  completions: '/completions',
  embeddings: '/embeddings',
  moderations: '/moderations',
  images: '/images/generations',
  'image-edits': '/images/edits',
  'image-variations': '/images/variations',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  rerank: '/rerank',
  compact: '/responses/compact',
  // Google's alone.
  caches: '',
  // Its address is the client's.
  passage: '',
  realtime: '/realtime',
  videos: '/videos',
  // Google's alone.
  live: '',
  predict: '',
  'predict-long': '',
}

export const allOperations = (Object.keys(tasks) as Operation[]).filter((operation) => tasks[operation] !== '')

/** Ends an address to which everything is sent as it is. */
const wholeMark = '#'

export const isWhole = (base: string): boolean => base.endsWith(wholeMark)

interface Base {
  readonly root: string
  readonly bringsVersion: boolean
  /** With its question mark; '' when there is none. */
  readonly query: string
}

/** Channels have few, and each is asked for again and again. */
const readBase = memoize(1000, (base: string): Base => {
  const at = base.indexOf('?')
  const query = at < 0 ? '' : base.slice(at)
  const root = withoutTrailing(at < 0 ? base : base.slice(0, at), '/')
  if (root.endsWith(tasks.chat)) return { root: root.slice(0, -tasks.chat.length), bringsVersion: true, query }
  return { root, bringsVersion: /\/v\d+[a-z\d]*$/i.test(root), query }
})

/** The query of the channel's address, before one of the task's own. */
function withQuery(address: string, query: string): string {
  if (query === '') return address
  const at = address.indexOf('?')
  return at < 0 ? address + query : `${address.slice(0, at)}${query}&${address.slice(at + 1)}`
}

/** Base, version and task as one address. A base that ends with a version already brings it, and so does a whole address. */
export function endpoint(base: string, version: string, task: string): string {
  if (isWhole(base)) return base.slice(0, -wholeMark.length)
  const { root, bringsVersion, query } = readBase(base)
  return withQuery(bringsVersion ? `${root}${task}` : `${root}${version}${task}`, query)
}

/** A base in two parts: what comes before a version, and the version that people copy along with it. */
export function splitBase(
  base: string,
  ending: RegExp,
): { readonly root: string; readonly version: string | undefined } {
  const [found = '', version] = ending.exec(base) ?? []
  return { root: base.slice(0, base.length - found.length), version }
}

/** Where a vendor says things about an account: beside the version, which a base may bring, and beside a whole address. */
export function accountAddress(base: string, path: string): string {
  const { root, bringsVersion } = readBase(isWhole(base) ? base.slice(0, -wholeMark.length) : base)
  return `${bringsVersion ? root.replace(/\/v\d+[a-z\d]*$/i, '') : root}${path}`
}

/** Stands in an address for the name of the model. */
export const modelMark = '{model}'

/** A name as one segment of a path. Every reader takes dots for a step through the path, however they are encoded. */
export function pathSegment(name: string): string {
  if (/^\.{1,2}$/.test(name)) throw new BadRequest(`"${name}" cannot stand in an address.`, 'model')
  return encodeURIComponent(name)
}

export const withModel = (address: string, model: string): string =>
  address.includes(modelMark) ? address.replaceAll(modelMark, pathSegment(model)) : address

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

/** The channel's own base, or `other` when it still has the one of the vendor's native service. */
export function baseUnless(base: string, nativeHosts: readonly string[], other: string): string {
  const host = URL.canParse(base) ? new URL(base).hostname : ''
  return host === '' || nativeHosts.includes(host) ? other : base
}
