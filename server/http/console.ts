import type { Context } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { allows, isAdmin } from '#shared/roles.ts'
import type { Actor, Call } from './call.ts'
import { networkOf } from './client-address.ts'
import { packedJson } from './compress.ts'
import { refuseCrossSite } from './cross-site.ts'
import { answerHeaders, failureResponse, toAppError } from './errors.ts'
import { readInput } from './input.ts'
import type { ClientConnection } from './listen.ts'
import type { Route } from './mount.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createRouter } from './router.ts'
import { hasFactor } from './second-factors.ts'
import { identify } from './session.ts'

export type ConsoleApi = (
  request: Request,
  url: URL,
  clientAddress: string,
  connection: ClientConnection,
) => Promise<Response>

/** The console API: one request in, one envelope out. */
export function createConsole(ctx: Context, limiter: RateLimiter, routes: readonly Route[]): ConsoleApi {
  const match = createRouter(routes)
  return async (request, url, clientAddress, connection) => {
    try {
      if (!(await limiter.allow('api', networkOf(clientAddress)))) throw new AppError('request.too_many')
      const found = match(request.method, url.pathname)
      if (!found) throw new AppError('request.not_found', { method: request.method, path: url.pathname })
      const { endpoint } = found.route
      if (endpoint.changes) refuseCrossSite(request)
      const actor = await admit(ctx, request, clientAddress, found.route)
      const input = await readInput(endpoint, { request, url, params: found.params, connection })
      const call: Call<unknown> = { ctx, input, actor, request, clientAddress, limiter, cookies: [], message: '' }
      return await answer(found.route, await found.route.serve(call), call)
    } catch (error) {
      return failureResponse(toAppError(error, ctx, `${request.method} ${url.pathname}`))
    }
  }
}

async function admit(ctx: Context, request: Request, address: string, { endpoint }: Route): Promise<Actor | null> {
  if (endpoint.access === 'public') return identify(ctx, request, address).catch(ignoreOnPublicRoutes)
  const actor = await identify(ctx, request, address)
  if (!actor) throw new AppError('auth.required')
  if (!allows(actor.role, endpoint.access)) throw new AppError('auth.forbidden')
  if (!endpoint.own) await requireSecondFactor(ctx, actor)
  return actor
}

/** Where a second factor is required of administrators, one without it can only reach the own account. */
async function requireSecondFactor(ctx: Context, { id, role }: Actor): Promise<void> {
  if (!ctx.options().AdminSecondFactorRequired || !isAdmin(role)) return
  if (!(await hasFactor(ctx.database.db, id))) throw new AppError('auth.second_factor_required')
}

/** Public routes stay open to stale and banned logins. */
function ignoreOnPublicRoutes(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

function answer({ endpoint }: Route, result: unknown, call: Call<unknown>): Response | Promise<Response> {
  if (result instanceof Response) return result
  const data = endpoint.output.parse(result)
  const lifted = Object.fromEntries(endpoint.lift.map((name) => [name, (data as Record<string, unknown>)[name]]))
  const headers = new Headers(answerHeaders)
  for (const value of call.cookies) headers.append('set-cookie', value)
  const body = { success: true, message: call.message, ...(data === undefined ? {} : { data }), ...lifted }
  return packedJson(body, headers, call.request.headers.get('accept-encoding') ?? '')
}
