import type { z } from 'zod'
import { jsonFault, longListValuesMax } from '#server/lib/json-text.ts'
import type { Endpoint } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { issueFault } from '#shared/faults.ts'
import { fieldFault } from '#shared/field-fault.ts'
import { readBodyText } from './body.ts'
import type { ClientConnection } from './listen.ts'

/** A call as it arrived. */
interface CallParts {
  readonly request: Request
  readonly url: URL
  readonly params: Record<string, string>
  readonly connection: ClientConnection
}

/** Path, query and body of a call, checked against the endpoint's input. */
export async function readInput(endpoint: Endpoint, call: CallParts): Promise<unknown> {
  const { request, url, params, connection } = call
  const query = Object.fromEntries(url.searchParams)
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const text = hasBody ? await readBodyText(request, endpoint.bodyMax, connection) : ''
  const source = hasBody ? { ...pick(query, endpoint.query), ...parseBody(endpoint, text) } : query
  const given = { ...source, ...params }
  if (mayHoldNul(text, url) && holdsNul(given)) throw invalid('text.nul')
  const parsed = endpoint.input.safeParse(given)
  if (!parsed.success) throw firstFault(parsed.error)
  return parsed.data
}

/** Only the few inputs that can hold one are searched. */
const mayHoldNul = (text: string, { search, pathname }: URL): boolean =>
  text.includes('\\u0000') || search.includes('%00') || pathname.includes('%00')

/** PostgreSQL cannot keep a null character in a text; nobody types one. */
const holdsNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsNul)

const pick = (source: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])))

const faults = {
  'too deep': 'request.too_deep',
  'too many': 'request.too_many_values',
  'key twice': 'request.duplicate_key',
} as const

function parseBody(endpoint: Endpoint, text: string): Record<string, unknown> {
  const fault = jsonFault(text, longListValuesMax)
  if (fault) throw new AppError(faults[fault])
  let body: unknown
  try {
    body = text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new AppError('request.not_json')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('body.not_object')
  }
  const known = endpoint.input.shape
  const unknown = Object.keys(body).find((key) => !Object.hasOwn(known, key) && !endpoint.ignores.includes(key))
  if (unknown !== undefined) {
    throw invalid('body.unknown_field', { name: unknown.slice(0, 60) })
  }
  return body as Record<string, unknown>
}

/** The first issue, in words: those of its schema where it has some. */
function firstFault({ issues: [issue] }: z.ZodError): AppError {
  if (!issue) return new AppError('request.invalid', { detail: 'not valid' })
  const field = issue.path.join('.')
  const known = issueFault(issue)
  if (known) return invalid(known.code, known.params, field)
  const isOurs = !/^(Invalid|Too (big|small)|Unrecognized)/.test(issue.message)
  if (isOurs) return new AppError('request.invalid', { detail: issue.message }, { data: { field } })
  const { code, params } = fieldFault(issue)
  return invalid(code, params, field)
}
