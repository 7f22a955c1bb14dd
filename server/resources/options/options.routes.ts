import { type Route, route } from '#server/http/mount.ts'
import { optionsApi } from '#shared/api/options.ts'
import { changeOption, listOptions } from './options.service.ts'

export const optionRoutes: readonly Route[] = [
  route(optionsApi.list, ({ ctx }) => listOptions(ctx)),
  route(optionsApi.update, ({ ctx, actor, input }) => changeOption(ctx, actor, input)),
]
