import { AppError } from '#shared/errors.ts'
import { accessToken } from './session.ts'

/** Refuses calls another site made a browser send. Calls with an access token use no ambient authority. */
export function refuseCrossSite(request: Request): void {
  if (request.method === 'GET' && isNavigation(request)) throw new AppError('request.navigation')
  if (accessToken(request) !== '') return
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) {
    if (site === 'same-origin' || site === 'none') return
    throw new AppError('request.cross_site')
  }
  const origin = request.headers.get('origin')
  if (origin !== null && hostOf(origin) !== request.headers.get('host')) throw new AppError('request.cross_site')
}

/** A link was opened, wherever it was. On plain http browsers show this only by asking for a page. */
function isNavigation({ headers }: Request): boolean {
  const mode = headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return headers.has('upgrade-insecure-requests') || (headers.get('accept') ?? '').startsWith('text/html')
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host
  } catch {
    return ''
  }
}
