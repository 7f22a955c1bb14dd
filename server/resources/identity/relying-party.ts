import type { Context } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { isThisMachine } from '#shared/this-machine.ts'

export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** For whom passkeys are made: the configured address, never what a request claims; on the machine itself, where it was sent. */
export function relyingParty(ctx: Pick<Context, 'options'>, request: Request): RelyingParty {
  const { ServerAddress } = ctx.options()
  const { hostname, origin } = new URL(ServerAddress === '' ? request.url : ServerAddress)
  if (ServerAddress === '' && !isThisMachine(hostname)) throw new AppError('passkey.address')
  return { id: hostname, origin }
}
