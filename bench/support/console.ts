import { api } from '#shared/api/all.ts'
import type { ArgsOf, Endpoint, Envelope, OutputOf } from '#shared/contract.ts'
import { buildRequest } from '#shared/request.ts'

export type Operator = <E extends Endpoint>(endpoint: E, args: ArgsOf<E>) => Promise<OutputOf<E>>

/** Logs in as root and returns a function that makes console calls. */
export async function operate(url: string, password: string): Promise<Operator> {
  let cookie = ''
  const call: Operator = async (endpoint, args) => {
    const { path, init } = buildRequest(endpoint, args)
    const answer = await fetch(url + path, { ...init, headers: { ...init.headers, cookie } })
    const session = answer.headers.getSetCookie().find((value) => value.startsWith('session='))
    if (session) cookie = session.split(';')[0] ?? ''
    const envelope = (await answer.json()) as Envelope<never>
    if (!envelope.success) throw new Error(`${endpoint.path}: ${envelope.message}`)
    return envelope.data as never
  }
  await call(api.auth.login, { username: 'root', password })
  return call
}
