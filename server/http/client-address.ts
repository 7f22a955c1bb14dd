/** The client's address; of `X-Forwarded-For` only as many entries are believed as there are proxies of ours. */
export function clientAddress(request: Request, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0) return peer
  const forwarded = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return forwarded[Math.max(0, forwarded.length - trustedProxies)] ?? peer
}
