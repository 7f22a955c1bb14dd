import { differences } from '#server/lib/differences.ts'
import { channelStatus } from '#shared/statuses.ts'
import { channelLabel } from './channel-notes.ts'
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

/** What an administrator changed, in words; empty when it is nothing. */
export function describeChange(before: ChannelRow, after: ChannelRow): string {
  const statusChange =
    before.status === after.status ? '' : after.status === channelStatus.enabled ? 'enabled' : 'disabled'
  const keyChange = before.key_hash === after.key_hash ? '' : 'key replaced'
  const proxyChange = before.proxy_sealed === after.proxy_sealed ? '' : 'proxy changed'
  // People put credentials into them.
  const headersChange = before.headers === after.headers ? '' : 'headers changed'
  const changes = [differences(before, after, logged), headersChange, keyChange, proxyChange].filter(Boolean).join(', ')
  const verbs = [statusChange, changes && 'changed'].filter(Boolean).join(' and ')
  return verbs && `${verbs} ${channelLabel(after)}${changes && `: ${changes}`}`
}
