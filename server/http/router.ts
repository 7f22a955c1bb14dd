import { decoded } from '#server/lib/text/decoded.ts'
import type { Route } from './mount.ts'

export interface Match {
  readonly route: Route
  readonly params: Record<string, string>
}

interface Node {
  readonly literals: Map<string, Node>
  param: { name: string; node: Node } | null
  readonly routes: Map<string, Route>
}

const newNode = (): Node => ({ literals: new Map(), param: null, routes: new Map() })

const segments = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/** Finds routes by method and path; a literal segment beats a parameter, a trailing slash is ignored. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match | null {
  const root = newNode()
  for (const route of routes) {
    let node = root
    for (const segment of segments(route.endpoint.path)) node = child(node, segment)
    if (node.routes.has(route.endpoint.method))
      throw new Error(`mounted twice: ${route.endpoint.method} ${route.endpoint.path}`)
    node.routes.set(route.endpoint.method, route)
  }
  return (method, path) => find(root, method, segments(path))
}

function child(node: Node, segment: string): Node {
  if (segment.startsWith(':')) {
    node.param ??= { name: segment.slice(1), node: newNode() }
    return node.param.node
  }
  const existing = node.literals.get(segment) ?? newNode()
  node.literals.set(segment, existing)
  return existing
}

function find(node: Node, method: string, [segment, ...rest]: readonly string[]): Match | null {
  if (segment === undefined) {
    const route = node.routes.get(method)
    return route ? { route, params: {} } : null
  }
  const literal = node.literals.get(segment)
  const found = literal ? find(literal, method, rest) : null
  if (found || !node.param) return found
  const below = find(node.param.node, method, rest)
  return below && { ...below, params: { [node.param.name]: decoded(segment), ...below.params } }
}
