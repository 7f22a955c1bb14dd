import type { Context } from '#server/context.ts'
import { isThisMachine } from '#shared/this-machine.ts'

/**
 * A link for a mail. It leads to the configured server address, never to where the request says it was sent: whoever asks
 * for a reset of another's password chooses that header. Without an address the mail gives the path alone, save on the
 * machine itself.
 */
export function mailLink(ctx: Pick<Context, 'options'>, request: Request, path: string): string {
  const { ServerAddress } = ctx.options()
  if (ServerAddress !== '') return ServerAddress + path
  const { hostname, origin } = new URL(request.url)
  return isThisMachine(hostname) ? origin + path : path
}
