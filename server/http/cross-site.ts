import { AppError } from '#shared/errors.ts'
import { accessToken } from './session.ts'

/** Refuses calls another site made a browser send. Calls with an access token use no ambient authority. */
export function refuseCrossSite(request: Request): void {
  if (accessToken(request) !== '') return
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) {
    if (site === 'same-origin' || site === 'none') return
    throw new AppError('request.cross_site')
  }
  const origin = request.headers.get('origin')
  if (origin !== null && hostOf(origin) !== request.headers.get('host')) throw new AppError('request.cross_site')
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host
  } catch {
    return ''
  }
}
