import { safeType } from '#server/relay/answer/media-types.ts'
import { textWithoutKey } from '#server/relay/upstream/without-key.ts'

/** Headers about one connection, which are not passed on. */
const ofConnections =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|host|proxy-.*|http2-settings)$/

/** Headers about the caller, its key and its address, which the vendor must not see. */
const ofCallers =
  /^(?:authorization|x-api-key|x-goog-api-key|api-key|cookie|origin|referer|forwarded|via|x-real-ip|x-forwarded-.*|cf-.*|true-client-ip|sec-.*)$/

/** The client's headers for the vendor: without those for the relay, and without any value that contains the caller's key. */
export function headersForVendor(headers: Headers, key: string): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of headers) {
    if (ofConnections.test(name) || ofCallers.test(name) || value.includes(key)) continue
    passed[name] = value
  }
  // Without this the runtime would ask for compression the client cannot read.
  passed['accept-encoding'] ??= 'identity'
  return passed
}

/** Headers of the vendor in whose place the relay sends its own. */
const notForClients =
  /^(?:set-cookie|content-type|content-security-policy.*|x-content-type-options|access-control-.*|strict-transport-security|alt-svc|clear-site-data|refresh|link)$/

/** Further kinds of bytes no browser runs. */
const asSaid = /^application\/(?:x-ndjson|jsonl|vnd\.amazon\.eventstream|zip|gzip)$/

/** The vendor's headers for the client: none that instruct a browser, and none that contains the channel's key. */
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
