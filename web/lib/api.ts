import type { ArgsOf, Endpoint, Envelope, OutputOf } from '#shared/contract.ts'

/** A call that was refused or failed. Status 200 is a refusal of the product itself: `message` is for the reader. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  constructor(message: string, status: number, code?: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
  }
}

type Fields = Record<string, unknown>
type Args<E extends Endpoint> = Record<never, never> extends ArgsOf<E> ? [args?: ArgsOf<E>] : [args: ArgsOf<E>]

const entriesOf = (fields: Fields): Array<[string, string]> =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)] as [string, string]],
  )

/** Where the contract says each field of the input travels: in the path, the query or the body. */
export function requestOf(endpoint: Endpoint, args: Fields): { url: string; body: string | undefined } {
  const rest = { ...args }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    return encodeURIComponent(value)
  })
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const inQuery = (name: string) => !hasBody || endpoint.query.includes(name)
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => inQuery(name) === wanted))
  const query = new URLSearchParams(entriesOf(pick(true))).toString()
  return { url: query ? `${path}?${query}` : path, body: hasBody ? JSON.stringify(pick(false)) : undefined }
}

async function readEnvelope(response: Response): Promise<Envelope<unknown>> {
  const answer: unknown = await response.json().catch(() => null)
  if (typeof answer === 'object' && answer !== null && 'success' in answer) return answer as Envelope<unknown>
  throw new ApiError(`Request failed with status code ${response.status}`, response.status)
}

/** The whole answer, for the few calls whose `message` says something on success. */
export async function callEnvelope<E extends Endpoint>(
  endpoint: E,
  ...[args]: Args<E>
): Promise<Envelope<OutputOf<E>> & { data: OutputOf<E> }> {
  const { url, body } = requestOf(endpoint, (args ?? {}) as Fields)
  const headers: HeadersInit = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, {
    method: endpoint.method,
    headers,
    body: body ?? null,
    credentials: 'same-origin',
  })
  const answer = await readEnvelope(response)
  if (!response.ok || !answer.success) throw new ApiError(answer.message, response.status, answer.code)
  return answer as Envelope<OutputOf<E>> & { data: OutputOf<E> }
}

/** Makes a call of the contract and answers its data; throws `ApiError`. */
export async function call<E extends Endpoint>(endpoint: E, ...args: Args<E>): Promise<OutputOf<E>> {
  return (await callEnvelope(endpoint, ...args)).data
}
