import { safeType } from '#server/relay/answer/media-types.ts'
import { textWithoutKey } from '#server/relay/upstream/without-key.ts'

/** They speak of one connection, and every connection has its own. */
const ofConnections =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|host|proxy-.*|http2-settings)$/

/** Who calls, by what key and from where, is between the caller and the relay. */
const ofCallers =
  /^(?:authorization|x-api-key|x-goog-api-key|api-key|cookie|origin|referer|forwarded|via|x-real-ip|x-forwarded-.*|cf-.*|true-client-ip|sec-.*)$/

/** What a client said to its vendor: all but what concerns the relay alone, and nothing that holds the caller's key. */
export function headersForVendor(headers: Headers, key: string): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of headers) {
    if (ofConnections.test(name) || ofCallers.test(name) || value.includes(key)) continue
    passed[name] = value
  }
  // Nobody unpacks what the client did not ask to have packed.
  passed['accept-encoding'] ??= 'identity'
  return passed
}

/** The query as it was typed, without the caller's key. */
export const queryForVendor = (search: string, key: string): string => {
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^(?:key|api[-_]?key)=/i.test(part) && !part.includes(key))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** The relay's own rules stand in their place. */
const notForClients =
  /^(?:set-cookie|content-type|content-security-policy.*|x-content-type-options|access-control-.*|strict-transport-security|alt-svc|clear-site-data|refresh|link)$/

/** Further kinds of bytes no browser runs. */
const asSaid = /^application\/(?:x-ndjson|jsonl|vnd\.amazon\.eventstream|zip|gzip)$/

/** What a vendor said to the relay, without what would tell a browser what to do or anybody the channel's key. */
export function headersForClient(headers: Headers, key: string): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of headers) {
    if (ofConnections.test(name) || notForClients.test(name) || textWithoutKey(value, key) !== value) continue
    passed[name] = value
  }
  const said = headers.get('content-type')
  if (said === null) return passed
  const type = asSaid.test(said) ? said : safeType(said)
  passed['content-type'] = type.includes('html') ? 'application/octet-stream' : type
  return passed
}
