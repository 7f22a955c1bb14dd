import { describe, expect, test } from 'bun:test'
import { providerOf } from './index.ts'
import { targetOf, toolsOf } from './testing.ts'

describe('signed calls', () => {
  test('Tencent signs the very body that is sent', async () => {
    const target = targetOf(23, { key: '1|AKIDtest|SKtest', baseUrl: 'https://hunyuan.tencentcloudapi.com' })
    const body = '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}'
    const { headers } = await providerOf(23).call(target, body, toolsOf())
    expect(headers.authorization).toEndWith('75c2896bb6f512110a910899dd8fb878785cb9837fb8a0053c194c6c3b71d7ba')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-tc-action': 'ChatCompletions',
      'x-tc-version': '2023-09-01',
      'x-tc-timestamp': '1704067200',
    })
  })

  test('Spark signs its socket for the version the model names', async () => {
    const asks = { key: 'app|testsecret|testkey', baseUrl: 'wss://spark-api.xf-yun.com', model: 'SparkDesk-v2.1' }
    const { url } = await providerOf(18).call(targetOf(18, asks), '{}', toolsOf())
    expect(url).toStartWith('wss://spark-api.xf-yun.com/v2.1/chat?authorization=YXBpX2tleT0idGVzdGtleSIs')
  })

  test('services that are switched off say so in their errors', () => {
    const errors = {
      11: { error: { code: 404, message: 'gone' } },
      23: { Response: { Error: { Code: 'x', Message: 'gone' } } },
    }
    for (const target of [targetOf(11), targetOf(23, { key: '1|a|b' })]) {
      const provider = providerOf(target.type)
      const hint = provider.retired?.(target)
      const [event] = provider.dialect(target).decodeResponse(errors[target.type === 11 ? 11 : 23])
      expect(hint).toContain('switched')
      expect(event).toMatchObject({ type: 'fault', fault: { message: `${hint} (gone)` } })
    }
    expect(providerOf(23).retired?.(targetOf(23))).toBeUndefined()
  })
})
