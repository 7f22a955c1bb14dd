const signatures: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
]

/** What the bytes are by their first ones; what the sender claims when they are nothing known. */
export function mediaTypeOf(bytes: Uint8Array, claimed: string | null): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const known = signatures.find(([, pattern]) => pattern.test(start))?.[0]
  const said = claimed?.split(';')[0]?.trim().toLowerCase()
  return known ?? (said || 'application/octet-stream')
}
