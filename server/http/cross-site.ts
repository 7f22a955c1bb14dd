import { AppError } from '#shared/errors.ts'

/** Refuses calls another site made a browser send. Calls with an Authorization header carry no ambient authority. */
export function refuseCrossSite(request: Request): void {
  if (request.headers.has('authorization')) return
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
