/** The number of a request, where OpenAI's clients look for it and where Anthropic's do. */
export const requestIdHeaders = (id: string) => ({ 'x-request-id': id, 'request-id': id })

/** Pages of any origin may read what the relay says, and nobody guesses its type. */
export const openHeaders = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }
