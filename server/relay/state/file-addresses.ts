import type { Reference } from './reference.ts'

const ownFile = /^files\/[\w-]+$/
const filePath = /\/v1(?:beta|alpha)\/(files\/[\w-]+)$/

/** What a reader may drop, trim or take for a slash before it looks at the rest. */
const unclean = /[\s\p{C}\\]/u

/** Google opens these with the operator's account; files that anybody may read, or that are signed, are in its storage. */
const isGoogles = (host: string): boolean =>
  /(?:^|\.)googleapis\.com$/.test(host) && !/(?:^|\.)storage\.googleapis\.com$/.test(host)

/** An http(s) address that every reader understands alike; null for any other text. */
function cleanAddress(text: string): URL | null {
  if (unclean.test(text) || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.username === '' && url.password === '' && !url.hostname.endsWith('.') ? url : null
}

/** The name of a file Google keeps, in an address of Google's or of the relay; undefined for any other address. */
export function geminiFileOf(address: string): string | undefined {
  if (ownFile.test(address)) return address
  return filePath.exec(cleanAddress(address)?.pathname ?? '')?.[1]
}

/** Clean addresses of other hosts, and bytes, are the client's own business. */
function isClients(address: string): boolean {
  if (address.startsWith('data:')) return true
  const url = cleanAddress(address)
  return url !== null && !isGoogles(url.hostname)
}

/** What an address in a request in Google's words refers to. */
export function inFileAddress(address: string, param: string): Reference[] {
  const file = geminiFileOf(address)
  if (file !== undefined) return [{ kind: 'gemini-file', id: file, param }]
  if (address === '' || isClients(address)) return []
  return [{ kind: 'item', id: address, param, what: 'stored file' }]
}
