import type { Status } from '#shared/api/status.ts'
import type { Token } from '#shared/api/tokens.ts'

/** Where a token can be taken along. */
interface ChatClient {
  name: string
  /** A web site that gets the key; the others are programs on the own machine. */
  isSite?: true
  /** The address that hands key and server over; without a chat link only what stands behind the address of a site. */
  link: (key: string, server: string, chatLink: string) => string
}

const chatClients: readonly ChatClient[] = [
  {
    name: 'ChatGPT Next Web',
    isSite: true,
    link: (key, server, chatLink) => `${chatLink}/#/?settings={"key":"${key}","url":"${server}"}`,
  },
  {
    name: 'BotGem',
    link: (key, server) => `ama://set-api-key?server=${encodeURIComponent(server)}&key=${key}`,
  },
  {
    name: 'OpenCat',
    link: (key, server) => `opencat://team/join?domain=${encodeURIComponent(server)}&token=${key}`,
  },
]

/** Keys are kept without the prefix and always shown and copied with it. */
export const fullKey = (token: Pick<Token, 'key'>): string => `sk-${token.key}`

export const maskedKey = (token: Pick<Token, 'key'>): string => `sk-…${token.key.slice(-4)}`

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null)

/** `handsKeyTo` is the site that would get the key: empty for a program, null while the operator has set none. */
export function clientLinks(token: Pick<Token, 'key'>, status: Pick<Status, 'server_address' | 'chat_link'>) {
  const server = status.server_address || window.location.origin
  const chatLink = status.chat_link.replace(/\/+$/, '')
  return chatClients.map(({ name, link, isSite }) => ({
    name,
    link: link(fullKey(token), server, chatLink),
    handsKeyTo: isSite ? hostOf(chatLink) : '',
  }))
}
