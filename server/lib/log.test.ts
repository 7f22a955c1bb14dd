import { expect, test } from 'bun:test'
import { createLogger } from './log.ts'

const logged = (message: string, fields?: Record<string, unknown>): string => {
  const lines: string[] = []
  createLogger('debug', (line) => lines.push(line)).warn(message, fields)
  return lines.join('')
}

test.each([
  'http://user:hush@proxy.example:80/',
  'fetching "https://vendor.example/oauth/2.0/token?grant_type=x&client_secret=hush&more=1"',
  'https://friend.example/api/wechat/user?code=hush',
  'wss://vendor.example/v1?authorization=hush%3D&date=x',
  'https://vendor.example/chat?access_token=hush',
  'Bearer hush',
])('the secret in %j is not logged, whether it stands in the message, a field or an error', (text) => {
  const error = Object.assign(new TypeError(text), { path: text })
  for (const line of [logged(text), logged('failed', { said: text }), logged('failed', { cause: error })]) {
    expect(line).not.toContain('hush')
    expect(line).toContain('[redacted]')
  }
})

test('what is no secret stays readable', () => {
  const text = 'https://vendor.example/v1/models?limit=2&after=m&keyword=x was answered with 404'
  expect(logged(text)).toContain(text)
})
