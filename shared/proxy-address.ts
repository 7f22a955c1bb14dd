/** What stands for a password that is not shown. */
const mask = '***'

const kinds = new Set(['http:', 'https:', 'socks5:'])

/** The address of a proxy, or null when the text is none. */
export function readProxy(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !kinds.has(url.protocol) || url.hostname === '') return null
  const isBare = (url.pathname === '' || url.pathname === '/') && url.search === '' && url.hash === ''
  return isBare ? url : null
}

/** Whether a name and a password can be read from it: a bare % is no sign of an address. */
export function isDecodable(text: string): boolean {
  const { username, password } = readProxy(text) ?? { username: '', password: '' }
  try {
    decodeURIComponent(username)
    decodeURIComponent(password)
    return true
  } catch {
    return false
  }
}

const written = (url: URL): string => url.href.replace(/\/$/, '')

/** As it may be shown. */
export function maskedProxy(text: string): string {
  const url = readProxy(text)
  if (!url || url.password === '') return text
  url.password = mask
  return written(url)
}

/** The password of the stored address where the given one shows the mask; null when there is none to keep for that place. */
export function unmaskedProxy(given: string, stored: string): string | null {
  const url = readProxy(given)
  if (url?.password !== mask) return given
  const before = readProxy(stored)
  if (!before || before.host !== url.host || before.username !== url.username) return null
  url.password = before.password
  return written(url)
}
