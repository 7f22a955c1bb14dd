import { describe, expect, test } from 'bun:test'
import { channelOf } from './channels.ts'
import { SourceChannel } from './rows.ts'

const made = (fields: Record<string, unknown>) =>
  channelOf(SourceChannel.parse({ id: 1, type: 1, name: 'c', key: 'k', models: 'm', status: 1, ...fields }))

describe('a channel of new-api', () => {
  test('keeps operations that set and remove fields, also where nothing is said of a value', () => {
    const operations = [
      { path: 'temperature', mode: 'set', value: 0.1 },
      { path: 'seed', mode: 'set' },
      { path: 'user', mode: 'delete' },
      { path: 'top_p', mode: 'set', value: 1, keep_origin: true },
    ]
    const channel = made({ param_override: JSON.stringify({ operations }) })
    const overrides = { set: { temperature: 0.1, seed: null }, default: { top_p: 1 }, remove: ['user'] }
    expect(channel).toMatchObject({ overrides: JSON.stringify(overrides), doubts: [] })
  })

  test.each(['{"is_multi_key":true,', '{"is_multi_key":true,"multi_key_status_list":{"0":"off"}}', '[]'])(
    'whose pool of keys cannot be read is switched off: %p',
    (channel_info) => {
      expect(made({ key: 'k1\nk2', channel_info })).toMatchObject({ doubts: ['its pool of keys cannot be read'] })
    },
  )

  test.each(['', 'null', '{}', '{"is_multi_key":false,"multi_key_status_list":null}'])(
    'without a pool has one key: %p',
    (channel_info) => {
      expect(made({ channel_info })).toMatchObject({ key: 'k', isPool: false, doubts: [] })
    },
  )
})
