import { isIPv4, isIPv6 } from 'node:net'

/** Ranges that are not the public internet, and the one public address that is a cloud's metadata service. */
const innerV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Inside the global unicast range: special purposes, documentation, and tunnels that hide an IPv4 address. */
const innerV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

function bitsOfV4(address: string): bigint {
  return address.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n)
}

/** The dotted tail of a mixed notation as two groups. */
function withoutDots(address: string): string {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address)
  if (!dotted) return address
  const bits = bitsOfV4(dotted[2] ?? '')
  return `${dotted[1]}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
}

function bitsOfV6(address: string): bigint {
  const [head = '', tail] = withoutDots(address.replace(/%.*$/, '')).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [front, back] = [groups(head), groups(tail ?? '')]
  const gap = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...gap, ...back].reduce((bits, group) => bits * 65_536n + BigInt(`0x${group}`), 0n)
}

const within = (bits: bigint, base: bigint, prefix: number, width: number): boolean =>
  bits >> BigInt(width - prefix) === base >> BigInt(width - prefix)

/** True for an address anyone on the internet can reach: not private, loopback, link-local, mapped, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    const bits = bitsOfV4(address)
    return !innerV4.some(([base, prefix]) => within(bits, bitsOfV4(base), prefix, 32))
  }
  if (!isIPv6(address)) return false
  const bits = bitsOfV6(address)
  if (!within(bits, bitsOfV6('2000::'), 3, 128)) return false
  return !innerV6.some(([base, prefix]) => within(bits, bitsOfV6(base), prefix, 128))
}
