import { epochSeconds } from '#server/context.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { AppError } from '#shared/errors.ts'
import { channelStatus } from '#shared/statuses.ts'
import { testChannel } from './channel-test.ts'
import { claimRun, type Progress, saveProgress, saveTest } from './channel-tests.store.ts'

/** Starts testing many channels in the background, one after the other. */
export async function startTests(context: RelayContext, scope: 'all' | 'disabled'): Promise<void> {
  const { ctx, routing } = context
  const { db } = ctx.database
  const table = await routing.table()
  const channels = [...table.channels.values()].filter(
    (channel) => scope === 'all' || channel.status !== channelStatus.enabled,
  )
  if (!(await claimRun(db, channels.length, epochSeconds(ctx)))) throw new AppError('channel.test_running')
  runTests(context, channels).catch((cause) => ctx.log.error('the channel tests broke off', { cause }))
}

async function runTests(context: RelayContext, channels: readonly RoutedChannel[]): Promise<void> {
  const { ctx } = context
  const { db } = ctx.database
  let progress: Progress = { running: true, total: channels.length, done: 0, failed: 0 }
  try {
    for (const channel of channels) {
      const passed = await testAndJudge(context, channel)
      progress = { ...progress, done: progress.done + 1, failed: progress.failed + (passed ? 0 : 1) }
      await saveProgress(db, progress, epochSeconds(ctx))
    }
  } finally {
    await saveProgress(db, { ...progress, running: false }, epochSeconds(ctx))
  }
}

/** Tests a channel, keeps its time, and switches it where the options say so. Returns whether it passed. */
export async function testAndJudge(context: RelayContext, channel: RoutedChannel): Promise<boolean> {
  const { ctx, health } = context
  const result = await testChannel(context, channel)
  const { fault, seconds } = result
  await saveTest(ctx.database.db, channel.id, result, epochSeconds(ctx))
  const { AutomaticDisableChannelEnabled, AutomaticEnableChannelEnabled, ChannelDisableThreshold } = ctx.options()
  const tooSlow = ChannelDisableThreshold > 0 && seconds > ChannelDisableThreshold
  const slowness = `response time ${seconds.toFixed(2)} s exceeds the threshold of ${ChannelDisableThreshold.toFixed(2)} s`
  if (channel.status === channelStatus.enabled && AutomaticDisableChannelEnabled) {
    if (fault && health.isDead(channel, fault)) await health.disable(channel, fault.message)
    else if (tooSlow) await health.disable(channel, slowness)
  } else if (channel.status === channelStatus.enabled && tooSlow) health.warn(channel, slowness)
  if (channel.status === channelStatus.autoDisabled && !fault && !tooSlow && AutomaticEnableChannelEnabled)
    await health.enable(channel)
  return fault === null
}
