import { epochSeconds } from '#server/context.ts'
import { type Route, route } from '#server/http/mount.ts'
import { providerOf } from '#server/providers/index.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { withAwakeKey } from '#server/relay/upstream/key-turn.ts'
import { api } from '#shared/api/all.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import type { OutputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { keyLines } from '#shared/key-lines.ts'
import { type TestResult, testChannel } from './channel-test.ts'
import { readProgress, saveBalance, saveTest } from './channel-tests.store.ts'
import { startTests } from './channel-tests.ts'
import { draftChannel } from './draft-channel.ts'
import { explained } from './explained.ts'
import { consoleTools, fetchModels, withPool } from './fetch-models.ts'

const balanceTimeoutMs = 10_000

/** The console calls that go out through channels. */
export function channelTestRoutes(context: RelayContext): Route[] {
  const { ctx, routing } = context
  const { db } = ctx.database
  const find = async (id: number): Promise<RoutedChannel> => {
    const channel = (await routing.table()).channels.get(id)
    if (!channel) throw new AppError('channel.not_found')
    return channel
  }
  return [
    route(api.channels.testMany, ({ input }) => startTests(context, input.scope)),
    route(api.channels.testProgress, () => readProgress(db, epochSeconds(ctx))),
    route(api.channels.test, async ({ input }) => {
      const channel = await find(input.id)
      const result = await testChannel(context, channel, input.model)
      await saveTest(db, channel.id, result, epochSeconds(ctx))
      return answered(result)
    }),
    route(api.channels.testDraft, async ({ input }) => {
      const saved = input.id === undefined ? undefined : await find(input.id)
      return answered(await testChannel(context, draftChannel(ctx, input, saved)))
    }),
    route(api.channels.fetchModels, async ({ input }) => {
      const channel = await find(input.id)
      return fetchModels(ctx, channel, channel.models, withPool(context, channel))
    }),
    route(api.channels.fetchModelsOf, ({ input }) => {
      const baseUrl = input.base_url || (channelTypeOf(input.type)?.baseUrl ?? '')
      if (baseUrl === '') throw new AppError('request.invalid', { detail: 'please fill in the base URL' })
      const [key = ''] = keyLines(input.key)
      return fetchModels(ctx, { ...input, key, keys: [key], baseUrl }, new Set())
    }),
    route(api.channels.balance, async ({ input }) => {
      const channel = await find(input.id)
      const balance = await askBalance(context, channel)
      await saveBalance(db, channel.id, balance, epochSeconds(ctx))
      return { balance }
    }),
  ]
}

function answered({ fault, seconds, model }: TestResult): OutputOf<typeof api.channels.test> {
  if (!fault) return { time: seconds, model }
  const detail = `${fault.status}: ${fault.message}`
  throw new AppError('channel.test_failed', { detail }, { data: { time: seconds } })
}

async function askBalance(context: RelayContext, channel: RoutedChannel): Promise<number> {
  const provider = providerOf(channel.type)
  if (!provider.balance) throw new AppError('channel.balance_unsupported')
  const tools = consoleTools(context.ctx, channel.proxy, balanceTimeoutMs)
  try {
    return await provider.balance(withAwakeKey(context, channel), tools)
  } catch (cause) {
    throw new AppError('channel.balance_failed', { detail: explained(cause, channel) }, { cause })
  }
}
