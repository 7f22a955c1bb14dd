/** Segments that begin the addresses of the three vendors' APIs, and of Cohere's. */
const versions: ReadonlySet<string> = new Set(['v1', 'v1beta', 'v1alpha', 'v2'])

/** First segments that stand below `/v1`, for clients whose base address lacks it. */
const belowV1: ReadonlySet<string> = new Set([
  'completions',
  'embeddings',
  'moderations',
  'images',
  'audio',
  'rerank',
  'responses',
  'messages',
  'models',
  'conversations',
  'files',
  'batches',
  'uploads',
  'realtime',
  'videos',
])

const isBare = ([first = '', second]: readonly string[]): boolean =>
  belowV1.has(first) || (first === 'chat' && second === 'completions')

/** Methods of models, which only Google's API has. */
const isGoogle = (segments: readonly string[]): boolean =>
  segments[0] === 'cachedContents' ||
  segments[0] === 'operations' ||
  (segments[0] === 'models' && segments.at(-2) === 'operations') ||
  (segments[0] === 'models' && /:\w+$/.test(segments.at(-1) ?? ''))

/**
 * The relay's own path for one that people type: slashes once, a version once, a missing one added. Null for paths that belong to
 * the console.
 */
export function relayPath(path: string): string | null {
  // The rest of the path belongs to the vendor and is not changed.
  if (knownAsIs.test(path) || path.startsWith('/pass/') || /^\/+ws\/google\.ai\./.test(path)) return path
  const segments = path.split('/').filter((segment) => segment !== '')
  while (versions.has(segments[0] ?? '') && versions.has(segments[1] ?? '')) segments.shift()
  const [first = ''] = segments
  if ((first === 'upload' || first === 'download') && versions.has(segments[1] ?? '')) return `/${segments.join('/')}`
  if (versions.has(first)) return `/${segments.join('/')}`
  if (isGoogle(segments)) return `/v1beta/${segments.join('/')}`
  if (isBare(segments)) return `/v1/${segments.join('/')}`
  return first === 'dashboard' && segments[1] === 'billing' ? `/${segments.join('/')}` : null
}

/** The addresses nearly everybody uses need no second look. */
const knownAsIs = /^\/v1\/(?:chat\/completions|messages|responses|embeddings)$/
