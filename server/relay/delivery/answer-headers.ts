import type { RelayedRequest } from '#server/relay/relayed-request.ts'

/** The number of a request, where OpenAI's clients look for it and where Anthropic's do. */
export const requestIdHeaders = (id: string) => ({ 'x-request-id': id, 'request-id': id })

/** Which model answered, and for administrators through which channel. Header values hold no more than Latin letters. */
export const routeHeaders = ({ ask, caller, delivery }: RelayedRequest): Record<string, string> => ({
  'x-switchyard-model': encodeURI(ask.model.toWellFormed()),
  ...(caller.isAdmin && delivery ? { 'x-switchyard-channel': String(delivery.channel.id) } : {}),
})

/** Pages of any origin may read what the relay says; nobody guesses its type, and opened in a browser it does nothing. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
}
