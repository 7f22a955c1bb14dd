import type { Context } from '#server/context.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Who makes a console call; read fresh from the database on every request. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly status: number
  /** Where the call came from. */
  readonly address: string
  /** Hash of the session the call came with; null for access tokens. */
  readonly sessionHash: string | null
}

/** One console call on its way through a route. */
export interface Call<Input> {
  readonly ctx: Context
  readonly input: Input
  /** The logged-in user; a public route has none. */
  readonly actor: Actor | null
  readonly request: Request
  readonly clientAddress: string
  readonly limiter: RateLimiter
  /** Set-Cookie values to send. */
  readonly cookies: string[]
  /** The envelope's message on success. */
  message: string
}

export type UserCall<Input> = Call<Input> & { readonly actor: Actor }
