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

/** Pages of any origin may read what the relay says; nobody guesses its type, and opened in a browser it does nothing. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  // A page reads no header of an answer that is not named in it: not how long to wait, nor the number of its request.
  'access-control-expose-headers': '*',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
}

/** What all answers of a model through a channel have in common, made once: to read it anew costs more than to copy it. */
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
