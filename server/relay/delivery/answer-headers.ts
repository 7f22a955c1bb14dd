import { memoize } from '#server/lib/memoize.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'

/** The number of a request, where OpenAI's clients look for it and where Anthropic's do. */
export const requestIdHeaders = (id: string) => ({ 'x-request-id': id, 'request-id': id })

/** Header values hold no more than Latin letters. */
const spelled = (model: string): string => encodeURI(model.toWellFormed())

/** Administrators see through which channel an answer came; '' for everybody else. */
const channelOf = ({ caller, delivery }: RelayedRequest): string =>
  caller.isAdmin && delivery ? String(delivery.channel.id) : ''

const routeOf = (model: string, channel: string): Record<string, string> => ({
  'x-switchyard-model': model,
  ...(channel === '' ? {} : { 'x-switchyard-channel': channel }),
})

/** Which model answered, and for administrators through which channel. */
export const routeHeaders = (request: RelayedRequest): Record<string, string> =>
  routeOf(spelled(request.ask.model), channelOf(request))

/** Any web page may read an answer; browsers do not guess its type and run nothing in it. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  // Browsers hide every header from a page that is not listed here.
  'access-control-expose-headers': '*',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
}

/** The headers that all answers of a model through a channel share, made once: copying is cheaper than building. */
const commonHeaders = memoize(1000, (key: string) => {
  const [contentType = '', channel = '', ...model] = key.split('\n')
  return new Headers({ 'content-type': contentType, ...routeOf(spelled(model.join('\n')), channel), ...openHeaders })
})

/** An answer under the number of its request. */
export function answerWith(
  body: BodyInit,
  request: RelayedRequest,
  contentType: string,
  more: Readonly<Record<string, string>> | null,
): Response {
  const { id, ask } = request
  const headers = commonHeaders(`${contentType}\n${channelOf(request)}\n${ask.model}`)
  // The response takes a copy, and the next answer writes its own number over this one.
  headers.set('x-request-id', id)
  headers.set('request-id', id)
  const response = new Response(body, { headers })
  for (const name in more) response.headers.set(name, more[name] ?? '')
  return response
}
