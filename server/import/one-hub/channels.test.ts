import { describe, expect, test } from 'bun:test'
import { channelOf, SourceChannel } from './channels.ts'
import { mappingOf } from './mapping.ts'

const made = (fields: Record<string, unknown>) =>
  channelOf(SourceChannel.parse({ id: 1, name: 'c', key: 'k', models: 'm', group: 'default', status: 1, ...fields }), {
    open: 'default',
    hasClosed: false,
  })

describe('a channel of one-hub', () => {
  test.each([
    [1, '', 1, ''],
    [25, '', 24, ''],
    [28, 'https://own.example', 34, 'https://own.example'],
    [31, '', 29, ''],
    [27, '', 27, ''],
    [27, 'https://own.example', 27, 'https://own.example'],
    [49, '', 8, 'https://models.inference.ai.azure.com/chat/completions'],
    [16, 'https://own.example/v4', 8, 'https://own.example/v4'],
    [47, '', 8, 'https://api.jina.ai/v1'],
    [48, 'https://own.example', 8, 'https://own.example/v1'],
    [99, 'https://own.example', 8, 'https://own.example/v1'],
    [54, 'https://own.example/', 8, 'https://own.example/serving-endpoints/{model}/invocations#'],
  ])('of type %d at %p becomes our type %d at %p', (type, base_url, ours, baseUrl) => {
    expect(made({ type, base_url })).toMatchObject({ type: ours, baseUrl, doubts: [] })
  })

  test.each([24, 34, 37, 38, 41, 44, 46, 51, 52, 53])('of type %d is left out', (type) => {
    expect(made({ type }).leftOut).toContain('not supported')
  })

  test('that was deleted is left out', () => {
    expect(made({ type: 1, deleted_at: '2025-01-01 00:00:00' }).leftOut).toBe('it was deleted')
  })

  test('keeps headers, parameters, tag and proxy; patterns among its models are left out', () => {
    const channel = made({
      type: 1,
      models: 'a,b-*,c',
      tag: 'main',
      proxy: 'socks5://127.0.0.1:1080',
      model_headers: '{"x-a":"1"}',
      custom_parameter: '{"overwrite":true,"temperature":0.3}',
    })
    expect(channel).toMatchObject({ models: 'a,c', tags: 'main', proxy: 'socks5://127.0.0.1:1080' })
    expect(channel).toMatchObject({ headers: '{"x-a":"1"}', overrides: '{"set":{"temperature":0.3}}' })
    expect(made({ type: 1, custom_parameter: '{"top_p":1}' })).toMatchObject({ overrides: '{"default":{"top_p":1}}' })
  })

  test.each([
    [{ type: 1, custom_parameter: '{"per_model":true,"a":{"top_p":1}}' }, 'its parameters differ by model'],
    [{ type: 8, plugin: '{"customize":{"1":"disable"}}' }, 'its own paths have no place here'],
    [{ type: 8, plugin: '{"customize":{"1":"/my/chat","3":"/v1/embeddings"}}' }, 'its own paths have no place here'],
    [{ type: 32, key: 'us-east-1|token' }, 'only an access key with its secret is known here'],
    [{ type: 42, key: '{"project_id":"a"}', other: 'us-east5|b' }, 'the project is not that of the service account'],
  ])('with what cannot be kept is switched off: %p', (fields, doubt) => {
    expect(made(fields)).toMatchObject({ doubts: [doubt] })
  })

  test.each([
    ['{"customize":{"1":""}}', 'https://own.example/v1'],
    ['{"customize":{"1":"/my/chat"}}', 'https://own.example/my/chat#'],
    ['{"customize":{"1":"/v4/chat/completions"}}', 'https://own.example/v4'],
    ['{"customize":{"1":"/x/chat/completions","3":"/x/embeddings"}}', 'https://own.example/x/chat/completions'],
  ])('of the custom type with the paths %p is at %p', (plugin, baseUrl) => {
    expect(made({ type: 8, base_url: 'https://own.example', plugin })).toMatchObject({ baseUrl, doubts: [] })
  })

  test('of Azure asks for deployments by the names its models have', () => {
    expect(made({ type: 3, base_url: 'https://a.example', models: 'gpt-4.1' })).toMatchObject({
      baseUrl: 'https://a.example/openai/deployments/{model}',
    })
    expect(made({ type: 3, base_url: 'https://a.example', models: 'gpt-4o' })).toMatchObject({
      baseUrl: 'https://a.example',
    })
  })

  test('keeps credentials that are written in another way', () => {
    expect(made({ type: 32, key: 'us-east-1|id|secret' })).toMatchObject({ key: 'id|secret|us-east-1', type: 32 })
    expect(made({ type: 35, key: 'account|token' })).toMatchObject({ key: 'token', other: 'account', type: 41 })
    expect(made({ type: 25, plugin: '{"use_openai_api":{"enable":true}}' })).toMatchObject({
      type: 8,
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    })
  })

  test('a mapped name is billed by its target, unless a + says otherwise', () => {
    const { json, billed } = mappingOf('{"cheap":"gpt-4o","dear":"+gpt-4o"}')
    expect(JSON.parse(json)).toEqual({ cheap: 'gpt-4o', dear: 'gpt-4o' })
    expect(['cheap', 'dear', 'other'].map(billed)).toEqual(['gpt-4o', 'dear', 'other'])
  })
})
