import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from './inbound-request.ts'

type Params = Readonly<Record<string, string>>

/**
 * When a call counts on the limits of who makes it: before it is served (`counted`); when its money is held, so that before it is
 * served the limits are only looked at (`held`); never where it reads little, or it counts by itself (`open`).
 */
export type CallAdmission = 'open' | 'counted' | 'held'

/** A path beside the doors that the relay answers itself: look-ups, counts, and what it keeps. */
export interface RelayRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `{model}` may hold slashes, any other name in braces one segment. `/v1beta` stands for all of Google's versions. */
  readonly path: string
  readonly admission: CallAdmission
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
