import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from './inbound-request.ts'

type Params = Readonly<Record<string, string>>

/** A path beside the doors that the relay answers itself: look-ups, counts, and what it keeps. */
export interface RelayRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `{model}` may hold slashes, any other name in braces one segment. `/v1beta` stands for all of Google's versions. */
  readonly path: string
  serve(context: RelayContext, inbound: InboundRequest, params: Params): Promise<Response>
}

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const text = path
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/^\/v1beta\//, '/v1(?:beta|alpha)?/')
    .replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${name === 'model' ? '.+' : '[^/]+'})`)
  const pattern = new RegExp(`^${text}$`)
  patterns.set(path, pattern)
  return pattern
}

/** The values of the path's parameters; null when the path belongs to another route. */
export function match(route: Pick<RelayRoute, 'path'>, path: string): Params | null {
  const found = patternOf(route.path).exec(path)
  return found ? { ...found.groups } : null
}
