export const jsonType = 'application/json; charset=utf-8'
export const sseType = 'text/event-stream; charset=utf-8'
/** An HTML page is never an answer. */
export const pageType = 'text/html'
const bytesType = 'application/octet-stream'

/** Sound, pictures, films, texts and subtitles; among pictures those that can hold no script. */
const harmless =
  /^(?:audio\/[\w.+-]+|video\/[\w.+-]+|image\/(?!svg)[\w.-]+|text\/(?:plain|vtt|srt|event-stream)|application\/(?:x-subrip|ogg))$/

/** The upstream's content type where a browser does nothing dangerous with it; plain bytes for any other. */
export function safeType(said: string | null): string {
  const [type = '', ...parameters] = (said ?? '').toLowerCase().split(';')
  const name = type.trim()
  if (/^application\/(?:[\w.-]+\+)?json$/.test(name) || name === 'text/json') return jsonType
  if (name.includes('html')) return pageType
  if (!harmless.test(name)) return bytesType
  const charset = parameters.map((parameter) => parameter.trim()).find((text) => /^charset=[\w-]{1,20}$/.test(text))
  return charset ? `${name}; ${charset}` : name
}
