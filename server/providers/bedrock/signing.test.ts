import { expect, test } from 'bun:test'
import { canonicalRequest, type SignedRequest, signedHeaders } from './signing.ts'

/** The examples AWS publishes with its signature. */
const example = (path: string, more: Partial<SignedRequest> = {}): SignedRequest => ({
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
  method: 'GET',
  url: new URL(`https://example.amazonaws.com${path}`),
  headers: {},
  body: '',
  now: Date.UTC(2015, 7, 30, 12, 36, 0),
  ...more,
})

test.each([
  ['get-vanilla', example('/'), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-vanilla-query-order-key-case',
    example('/?Param2=value2&Param1=value1'),
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'post-vanilla',
    example('/', { method: 'POST' }),
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-x-www-form-urlencoded',
    example('/', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Param1=value1',
    }),
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
])('%s is signed as published', (_, request, signature) => {
  expect(signedHeaders(request).authorization).toEndWith(`Signature=${signature}`)
})

test('a colon of a model name is encoded in the address and once more in what is signed', () => {
  const url = new URL('https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-lite-v1%3A0/converse')
  expect(canonicalRequest(example('/', { url })).text).toContain('/model/amazon.nova-lite-v1%253A0/converse')
})
