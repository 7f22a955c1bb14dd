import type { Fault, FaultCode } from './faults.ts'

/** What a channel adds to the requests it sends: headers, and changes to top-level fields of the body. */

const wrong = (code: FaultCode, name = ''): Fault => ({ code, params: name === '' ? {} : { name: name.slice(0, 60) } })

const headerName = /^[!#$%&'*+.^_`|~\w-]{1,100}$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,4000}$/

/** Credentials, and headers that the connection sets itself. */
const ownHeaders =
  /^(authorization|proxy-.*|x-api-key|api-key|x-goog-api-key|cookie|host|connection|content-length|content-type|content-encoding|transfer-encoding|te|trailer|upgrade|keep-alive|expect|traceparent|accept-encoding|x-tc-.*|date|digest)$/i

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with the headers of a channel; undefined when nothing is. */
export function headersProblem(text: string): Fault | undefined {
  const headers = parse(text)
  if (!isObject(headers)) return wrong('headers.not')
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) return wrong('headers.name', JSON.stringify(name))
    if (ownHeaders.test(name)) return wrong('headers.own', name)
    if (typeof value !== 'string') return wrong('headers.text', name)
    if (!headerValue.test(value)) return wrong('headers.line', name)
  }
  return undefined
}

/** What the relay reads or prices itself, and where vendors keep credentials. */
const ownFields = new Set([
  'model',
  'stream',
  'stream_options',
  'messages',
  'contents',
  'input',
  'prompt',
  'n',
  'best_of',
  'header',
  '__proto__',
])
/** May be lowered, but is what an answer is held for. */
const limitField = /^max_(completion_|output_)?tokens$/i
const credentialField =
  /^(api[_-]?key|key|authorization|(access|auth)?[_-]?token|app[_-]?id|password|credentials?|.*secret.*)$/i

function fieldProblem(name: string): Fault | undefined {
  if (name === '' || name.length > 200) return wrong('overrides.name')
  if (ownFields.has(name.toLowerCase())) return wrong('overrides.field', name)
  return credentialField.test(name) ? wrong('overrides.credentials', name) : undefined
}

/** What is wrong with the overrides of a channel; undefined when nothing is. */
export function overridesProblem(text: string): Fault | undefined {
  const overrides = parse(text)
  if (!isObject(overrides)) return wrong('overrides.not')
  const { set = {}, default: fallback = {}, remove = [], ...unknown } = overrides
  const [surplus] = Object.keys(unknown)
  if (surplus !== undefined) return wrong('overrides.part', surplus)
  if (!isObject(set) || !isObject(fallback) || !Array.isArray(remove)) return wrong('overrides.not')
  if (!remove.every((name) => typeof name === 'string')) return wrong('overrides.remove')
  const limit = remove.find((name) => limitField.test(name))
  if (limit !== undefined) return wrong('overrides.field', limit)
  return [...Object.keys(set), ...Object.keys(fallback), ...(remove as string[])].map(fieldProblem).find(Boolean)
}
