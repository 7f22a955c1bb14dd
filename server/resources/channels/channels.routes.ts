import { type Route, route } from '#server/http/mount.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { changeBatch, removeBatch } from './channel-batch.ts'
import {
  changeChannel,
  channelPage,
  createChannels,
  duplicateChannel,
  getChannel,
  removeChannel,
  removeDisabledChannels,
} from './channels.service.ts'
import { knownModels, pricesOf } from './model-prices.ts'

export const channelRoutes: readonly Route[] = [
  route(channelsApi.list, ({ ctx, input }) => channelPage(ctx, { ...input, keyword: '' })),
  route(channelsApi.search, ({ ctx, input }) => channelPage(ctx, input)),
  route(channelsApi.models, () => knownModels()),
  route(channelsApi.prices, ({ ctx, input }) => pricesOf(ctx, input.models)),
  route(channelsApi.get, ({ ctx, input }) => getChannel(ctx, input.id)),
  route(channelsApi.create, ({ ctx, actor, input }) => createChannels(ctx, actor, input)),
  route(channelsApi.duplicate, ({ ctx, actor, input }) => duplicateChannel(ctx, actor, input.id)),
  route(channelsApi.update, ({ ctx, actor, input }) => changeChannel(ctx, actor, input)),
  route(channelsApi.batch, ({ ctx, actor, input }) => changeBatch(ctx, actor, input)),
  route(channelsApi.removeBatch, ({ ctx, actor, input }) => removeBatch(ctx, actor, input.ids)),
  route(channelsApi.removeDisabled, ({ ctx, actor }) => removeDisabledChannels(ctx, actor)),
  route(channelsApi.remove, ({ ctx, actor, input }) => removeChannel(ctx, actor, input.id)),
]
