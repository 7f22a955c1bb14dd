import type { Context } from '#server/context.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { AppError } from '#shared/errors.ts'
import type { ChannelRow } from './channels.store.ts'

type Destination = Pick<ChannelRow, 'type' | 'base_url' | 'proxy_sealed'>

const originOf = ({ type, base_url }: Destination): string => {
  const address = base_url || (channelTypeOf(type)?.baseUrl ?? '')
  return URL.canParse(address) ? `${new URL(address).protocol}//${new URL(address).host}` : address
}

/** Whether a key would be sent to somebody else than it was entered for. */
export function leadsElsewhere({ secrets }: Context, before: Destination, after: Destination): boolean {
  if (before.type !== after.type || originOf(before) !== originOf(after)) return true
  if (before.base_url !== '' && after.base_url === '') return true
  return after.proxy_sealed !== '' && secrets.open(after.proxy_sealed) !== secrets.open(before.proxy_sealed)
}

/** An administrator cannot read a key, so he must not be able to send it to an address of his own either: it goes only where it was entered for. */
export function requireKeyFor(ctx: Context, before: Destination, after: Destination): void {
  if (leadsElsewhere(ctx, before, after)) throw new AppError('channel.key_needed', {}, { data: { field: 'key' } })
}
