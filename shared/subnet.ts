const ipv4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/

function isIpv6(text: string): boolean {
  if (!/^[0-9a-f:]+$/i.test(text) || text.includes(':::')) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const words = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (!words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return false
  return halves.length === 2 ? words.length < 8 : words.length === 8
}

/** An address, or a range in CIDR form. */
export function isSubnet(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0) return false
  const most = ipv4.test(address) ? 32 : isIpv6(address) ? 128 : -1
  if (most < 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}
