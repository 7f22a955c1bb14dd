import type { Context } from '#server/context.ts'
import { type RoutedChannel, routedChannel } from '#server/relay/routing/routing-table.ts'
import type { channelsApi } from '#shared/api/channels.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { keyLines } from '#shared/key-lines.ts'
import { unmaskedProxy } from '#shared/proxy-address.ts'
import { channelStatus } from '#shared/statuses.ts'

type Draft = InputOf<typeof channelsApi.testDraft>

/** A channel as a form holds it. Without a key it uses the saved one, which is sent only to the address it was entered for. */
export function draftChannel(ctx: Context, draft: Draft, saved: RoutedChannel | undefined): RoutedChannel {
  const { key, proxy, pool, ...fields } = draft
  const type = channelTypeOf(draft.type)
  const [typedKey = ''] = keyLines(key)
  const address = unmaskedProxy(proxy, saved?.proxy ?? '')
  if (address === null) throw invalid('proxy.password', {}, 'proxy')
  const channel = routedChannel(ctx, {
    ...fields,
    id: saved?.id ?? 0,
    status: channelStatus.enabled,
    other: draft.other || (type?.other?.defaultValue ?? ''),
    pool: 0,
    key_sealed: ctx.secrets.seal(typedKey || (saved?.key ?? '')),
    proxy_sealed: address === '' ? '' : ctx.secrets.seal(address),
  })
  if (channel.baseUrl === '') throw invalid('channel.address_required', { type: type?.label ?? '' }, 'base_url')
  if (typedKey !== '') return channel
  if (!saved) throw invalid('channel.name_and_key', {}, 'key')
  const isThere = channel.type === saved.type && channel.baseUrl === saved.baseUrl && channel.proxy === saved.proxy
  if (!isThere) throw new AppError('channel.key_needed', {}, { data: { field: 'key' } })
  return channel
}
