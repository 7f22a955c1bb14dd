import type { Context } from '#server/context.ts'
import { pageHeaders } from '#server/http/page-headers.ts'
import { openApiDocument } from './document.ts'
import { apiPage } from './page.ts'

export interface ApiDocs {
  document(): Response
  page(): Response
}

const once = (make: () => string): (() => string) => {
  let made: string | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The description of the console API, for programs and for people; drawn when first asked for. */
export function createApiDocs({ version, options }: Pick<Context, 'version' | 'options'>): ApiDocs {
  const text = once(() => JSON.stringify(openApiDocument(version)))
  const page = once(() => apiPage(openApiDocument(version)))
  const answer = (body: string, type: string) =>
    new Response(body, { headers: { ...pageHeaders(options()), 'content-type': type, 'cache-control': 'no-cache' } })
  return {
    document: () => answer(text(), 'application/json'),
    page: () => answer(page(), 'text/html; charset=utf-8'),
  }
}
