import { changedFields } from '#server/history/changed-fields.ts'
import { redact } from '#server/lib/log.ts'
import type { LogEvent } from '#shared/log-events.ts'
import { channelStatus } from '#shared/statuses.ts'
import { channelFacts } from './channel-notes.ts'
import type { ChannelRow } from './channels.store.ts'

const logged = [
  ...([
    'name',
    'type',
    'base_url',
    'other',
    'model_mapping',
    'models',
    'group',
    'priority',
    'weight',
    'cost_ratio',
  ] as const),
  ...(['tags', 'overrides', 'pool', 'test_model'] as const),
]

/** What an administrator changed; nothing when it is nothing. */
export function changeEvent(before: ChannelRow, after: ChannelRow): LogEvent | undefined {
  const changes = changedFields(before, after, logged, redact)
  // People put credentials into them.
  if (before.headers !== after.headers) changes.push({ code: 'part.headers', values: {} })
  if (before.key_hash !== after.key_hash) changes.push({ code: 'part.key', values: {} })
  if (before.proxy_sealed !== after.proxy_sealed) changes.push({ code: 'part.proxy', values: {} })
  const values = channelFacts(after)
  if (before.status === after.status)
    return changes.length === 0 ? undefined : { code: 'channel.changed', values: { ...values, changes } }
  const verb = after.status === channelStatus.enabled ? 'enabled' : 'disabled'
  return changes.length === 0
    ? { code: `channel.${verb}`, values }
    : { code: `channel.${verb}_changed`, values: { ...values, changes } }
}
