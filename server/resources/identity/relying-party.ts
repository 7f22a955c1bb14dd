import type { Context } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'

const thisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** For whom passkeys are made: the configured address, never what a request claims; on the machine itself, where it was sent. */
export function relyingParty(ctx: Pick<Context, 'options'>, request: Request): RelyingParty {
  const { ServerAddress } = ctx.options()
  const { hostname, origin } = new URL(ServerAddress === '' ? request.url : ServerAddress)
  if (ServerAddress === '' && !thisMachine.test(hostname)) throw new AppError('passkey.address')
  return { id: hostname, origin }
}
