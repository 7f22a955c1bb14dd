import type { Job } from '#server/jobs/job.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { channelStatus } from '#shared/statuses.ts'
import { testAndJudge } from './channel-tests.ts'

/** Tests what was switched off automatically again and again, so that it comes back by itself where the option allows it. */
export const recoverChannels = (context: RelayContext): Job => ({
  name: 'recover-channels',
  everyMs: 600_000,
  leader: true,
  async run({ options }) {
    if (!options().AutomaticEnableChannelEnabled) return
    const { channels } = await context.routing.table()
    for (const channel of channels.values()) {
      if (channel.status === channelStatus.autoDisabled) await testAndJudge(context, channel)
    }
  },
})
