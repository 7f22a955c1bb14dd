import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { signSparkUrl, sparkAuthorization, sparkSignature } from './spark/signing.ts'
import { tc3Authorization, tc3CanonicalRequest } from './tencent/signing.ts'
import { tencentSha1Signature } from './tencent/signing-v1.ts'
import { zhipuJwt } from './zhipu/signing.ts'

const newYear = 1_704_067_200
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('Spark signs the request line as its documentation prints it', () => {
  const signature = sparkSignature(
    'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi',
    'spark-api.xf-yun.com',
    '/v1.1/chat',
    'Fri, 05 May 2023 10:43:39 GMT',
  )
  expect(signature).toBe('z5gHdu3pxVV4ADMyk467wOWDQ9q6BQzR3nfMTjc/DaQ=')
})

const sparkKey = { apiKey: 'testkey', apiSecret: 'testsecret' }
const sparkProof =
  'YXBpX2tleT0idGVzdGtleSIsIGFsZ29yaXRobT0iaG1hYy1zaGEyNTYiLCBoZWFkZXJzPSJob3N0IGRhdGUgcmVxdWVzdC1saW5lIiwgc2lnbmF0dXJlPSJDZkZuMG1rODluUUhwTG9DOHdsK3BieWpydEg1Wmk0eFk2WWhuVFY5TFdrPSI='

test('Spark wraps key and signature into one authorization', () => {
  const date = 'Mon, 01 Jan 2024 00:00:00 GMT'
  expect(sparkSignature('testsecret', 'spark-api.xf-yun.com', '/v2.1/chat', date)).toBe(
    'CfFn0mk89nQHpLoC8wl+pbyjrtH5Zi4xY6YhnTV9LWk=',
  )
  expect(sparkAuthorization(sparkKey, 'spark-api.xf-yun.com', '/v2.1/chat', date)).toBe(sparkProof)
})

test('a signed Spark address carries authorization, date and host', () => {
  const url = new URL(signSparkUrl('wss://spark-api.xf-yun.com/v2.1/chat', sparkKey, newYear * 1000))
  expect(url.pathname).toBe('/v2.1/chat')
  expect(url.searchParams.get('authorization')).toBe(sparkProof)
  expect(url.searchParams.get('date')).toBe('Mon, 01 Jan 2024 00:00:00 GMT')
  expect(url.searchParams.get('host')).toBe('spark-api.xf-yun.com')
})

test('Tencent API 3.0 signs the canonical request', () => {
  const request = {
    secretId: 'AKIDtest',
    secretKey: 'SKtest',
    host: 'hunyuan.tencentcloudapi.com',
    service: 'hunyuan',
    action: 'ChatCompletions',
    body: '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}',
    timestamp: newYear,
  }
  expect(sha256(request.body)).toBe('c371332eb9f59f25b54b547b7e22c0729884f1924477e3ab60706930918936c5')
  expect(sha256(tc3CanonicalRequest(request))).toBe('9942add5d3d2484393f8cf16a110b9b1890ac9fd3dc42f9ee1ef7bbe941182a3')
  expect(tc3Authorization(request)).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDtest/2024-01-01/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=75c2896bb6f512110a910899dd8fb878785cb9837fb8a0053c194c6c3b71d7ba',
  )
})

test('Zhipu gets a token with times in milliseconds', () => {
  expect(zhipuJwt('testid', 'testsecret', newYear * 1000, 3_600_000)).toBe(
    'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoidGVzdGlkIiwiZXhwIjoxNzA0MDcwODAwMDAwLCJ0aW1lc3RhbXAiOjE3MDQwNjcyMDAwMDB9.Q00jYZdLV_x1Gtfd7B7CTHQ12xYJBfTnFtELZfYCsys',
  )
})

test("Hunyuan's old signature covers the sorted fields", () => {
  const body = {
    app_id: 1_250_000_000,
    secret_id: 'AKIDtest',
    timestamp: newYear,
    expired: newYear + 86_400,
    query_id: 'q1',
    temperature: 1,
    top_p: 0.8,
    stream: 0,
    messages: [{ role: 'user', content: 'hi' }],
  }
  expect(tencentSha1Signature('SKtest', 'hunyuan.cloud.tencent.com/hyllm/v1/chat/completions', body)).toBe(
    'tOxTHNQ2IMcf8gsr3zOb1UgGNM4=',
  )
})
