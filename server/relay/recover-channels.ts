import type { Job } from '#server/jobs/job.ts'
import { channelStatus } from '#shared/roles.ts'
import { testAndJudge } from './channel-tests.ts'
import type { RelayParts } from './parts.ts'

/** Tests what was switched off automatically again and again, so that it comes back by itself where the option allows it. */
export const recoverChannels = (parts: RelayParts): Job => ({
  name: 'recover-channels',
  everyMs: 600_000,
  leader: true,
  async run({ options }) {
    if (!options().AutomaticEnableChannelEnabled) return
    const { channels } = await parts.routing.table()
    for (const channel of channels.values()) {
      if (channel.status === channelStatus.autoDisabled) await testAndJudge(parts, channel)
    }
  },
})
