import type { LoginUser } from '#shared/api/auth.ts'
import { authApi } from '#shared/api/auth.ts'
import type { ArgsOf, Endpoint, OutputOf } from '#shared/contract.ts'
import { buildRequest } from '#shared/request.ts'

/** Calls endpoints of the contract with a session of its own. */
export interface ApiClient {
  call<E extends Endpoint>(endpoint: E, args: ArgsOf<E>): Promise<OutputOf<E>>
  readonly user: LoginUser
  /** Name and value of the session cookie. */
  readonly session: { name: string; value: string }
}

interface Answer {
  readonly success: boolean
  readonly message: string
  readonly data?: unknown
}

async function send<E extends Endpoint>(url: string, endpoint: E, args: ArgsOf<E>, cookie: string) {
  const { path, init } = buildRequest(endpoint, args)
  const response = await fetch(url + path, { ...init, headers: { ...init.headers, ...(cookie ? { cookie } : {}) } })
  const answer = (await response.json()) as Answer
  if (!answer.success) throw new Error(`${endpoint.method} ${endpoint.path}: ${response.status} ${answer.message}`)
  return { response, data: endpoint.output.parse(answer.data) as OutputOf<E> }
}

/** Logs in through the API, and goes on as that user. */
export async function logIn(url: string, username: string, password: string): Promise<ApiClient> {
  const { response, data: user } = await send(url, authApi.login, { username, password }, '')
  if ('ticket' in user) throw new Error(`${username} has a second factor`)
  const pair =
    response.headers
      .getSetCookie()
      .find((value) => value.startsWith('session='))
      ?.split(';')[0] ?? ''
  const [name = '', value = ''] = pair.split('=')
  return {
    user,
    session: { name, value },
    call: async (endpoint, args) => (await send(url, endpoint, args, pair)).data,
  }
}
