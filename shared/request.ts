import type { ArgsOf, Endpoint } from './contract.ts'

/** A call of the contract as the HTTP request that carries it: path parameters, query without what is empty, JSON body. */
export function buildRequest<E extends Endpoint>(endpoint: E, args: ArgsOf<E>): { path: string; init: RequestInit } {
  const rest = new Map(Object.entries(args as Record<string, unknown>).filter(([, value]) => value !== undefined))
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const query = new URLSearchParams()
  for (const [name, value] of rest) {
    if (hasBody && !endpoint.query.includes(name)) continue
    if (value !== '' && value !== null) query.set(name, String(value))
    rest.delete(name)
  }
  const search = query.size > 0 ? `?${query}` : ''
  const init: RequestInit = hasBody
    ? {
        method: endpoint.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(rest)),
      }
    : { method: endpoint.method }
  return { path: path + search, init }
}
