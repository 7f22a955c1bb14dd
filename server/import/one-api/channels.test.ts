import { describe, expect, test } from 'bun:test'
import { providerOf } from '#server/providers/index.ts'
import { targetOf, toolsOf } from '#server/providers/testing.ts'
import { channelOf } from './channels.ts'
import { SourceChannel } from './rows.ts'

const channel = (fields: Record<string, unknown>) =>
  channelOf(SourceChannel.parse({ id: 1, name: 'c', key: 'k', status: 1, models: 'm', ...fields }))

async function chatAddress(fields: Record<string, unknown>): Promise<string> {
  const { leftOut, ...facts } = channel(fields)
  if (leftOut !== undefined || !('type' in facts)) throw new Error(leftOut)
  const { type, baseUrl, other, key } = facts
  const target = { ...targetOf(type), baseUrl, other, key, model: 'm' }
  return (await providerOf(type).call(target, '{}', toolsOf())).url
}

const own = 'https://own.example'

describe('channels of types only one-api has', () => {
  test.each([
    [40, `${own}/api/v3/chat/completions`],
    [41, `${own}/chat/completions`],
    [47, `${own}/v2/chat/completions`],
    [48, `${own}/v1/chat/completions`],
    [49, `${own}/compatible-mode/v1/chat/completions`],
    [50, `${own}/chat/completions`],
    [51, `${own}/chat/completions`],
  ])('type %d keeps its own address and the path', async (type, address) => {
    expect(await chatAddress({ type, base_url: own })).toBe(address)
  })

  test.each([
    [47, 'https://qianfan.baidubce.com/v2/chat/completions'],
    [48, 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
    [49, 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [51, 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
  ])('type %d points to its vendor without one', async (type, address) => {
    expect(await chatAddress({ type })).toBe(address)
  })

  test('credentials of AWS and Vertex AI come from the settings', () => {
    const aws = channel({
      type: 33,
      models: 'claude-3-haiku-20240307',
      config: '{"ak":"A","sk":"S","region":"us-east-1"}',
    })
    expect(aws).toMatchObject({ type: 32, key: 'A|S|us-east-1', doubts: [] })
    expect(aws).toMatchObject({
      modelMapping: '{"claude-3-haiku-20240307":"anthropic.claude-3-haiku-20240307-v1:0"}',
    })
    const adc = '{"project_id":"p","client_email":"a@b"}'
    const config = JSON.stringify({ vertex_ai_adc: adc, vertex_ai_project_id: 'p', region: 'us-east5' })
    expect(channel({ type: 42, config })).toMatchObject({ type: 33, key: adc, other: 'us-east5', doubts: [] })
  })

  test('what we have nothing like is left out and named', () => {
    expect(channel({ type: 34 })).toEqual({ id: 1, name: 'c', leftOut: 'Coze channels are not supported' })
    expect(channel({ type: 99 })).toMatchObject({ leftOut: 'type 99 is not known' })
  })
})
