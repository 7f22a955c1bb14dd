import { isIPv6 } from 'node:net'
import { commaList } from '#shared/comma-list.ts'

/** The client's address; of `X-Forwarded-For` only as many entries are trusted as there are proxies in front. */
export function clientAddress(request: Request, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0) return peer
  const forwarded = commaList(request.headers.get('x-forwarded-for') ?? '')
  const claimed = forwarded[Math.max(0, forwarded.length - trustedProxies)]
  return claimed === undefined ? peer : withoutPort(claimed)
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}

/** What shares one limit: an IPv4 address, or the /64 network of one IPv6 customer. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [front = [], back = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  const network = [...front, ...zeros, ...back].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
