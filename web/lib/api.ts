import type { ArgsOf, Endpoint, Envelope, OutputOf } from '#shared/contract.ts'
import type { ErrorParams } from '#shared/errors.ts'
import { buildRequest } from '#shared/request.ts'
import { translateNow } from './i18n.ts'

/** A call that was refused or failed. Status 200 is a refusal of the product itself: `message` is for the reader. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly params: ErrorParams
  constructor(message: string, status: number, code?: string, params: ErrorParams = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.params = params
  }
}

type Args<E extends Endpoint> = Record<never, never> extends ArgsOf<E> ? [args?: ArgsOf<E>] : [args: ArgsOf<E>]

/** Fetches, and says in the reader's words that the network is gone: every browser has others. */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    if (cause instanceof TypeError) throw new Error(translateNow('failures.unreached'), { cause })
    throw cause
  }
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
  const { path, init } = buildRequest(endpoint, args ?? ({} as ArgsOf<E>))
  const response = await reach(path, { ...init, credentials: 'same-origin' })
  const answer = await readEnvelope(response)
  if (!response.ok || !answer.success) throw new ApiError(answer.message, response.status, answer.code, answer.params)
  return answer as Envelope<OutputOf<E>> & { data: OutputOf<E> }
}

/** Makes a call of the contract and returns its data; throws `ApiError`. */
export async function call<E extends Endpoint>(endpoint: E, ...args: Args<E>): Promise<OutputOf<E>> {
  return (await callEnvelope(endpoint, ...args)).data
}
