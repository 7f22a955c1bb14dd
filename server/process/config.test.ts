import { describe, expect, test } from 'bun:test'
import { ConfigError, readConfig, variables } from './config.ts'

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({})
  expect(config.PORT).toBe(3000)
  expect(config.DATABASE_URL).toBe('sqlite:./data/switchyard.db')
  expect(config.RATE_LIMIT_CRITICAL).toEqual({ count: 30, seconds: 1200 })
  expect(config.TRUST_PROXY).toBe(0)
})

test('every bad variable is named at once', () => {
  const message = refusal({ PORT: '70000', TRUST_PROXY: 'yes', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' })
  for (const name of ['PORT', 'TRUST_PROXY', 'LOG_LEVEL', 'DATABASE_URL']) expect(message).toContain(`\n  ${name} `)
})

test('a word that is none of the known ones is refused with their list', () => {
  expect(refusal({ LOG_LEVEL: 'INFO' })).toContain('LOG_LEVEL must be one of debug, info, warn, error, silent')
})

describe('a bad value is refused by the name of its variable', () => {
  const bad: Partial<Record<keyof typeof variables, readonly string[]>> = {
    PORT: ['-1', '3000.5', 'http'],
    SECRET_KEY: ['short', ' '.repeat(20)],
    INITIAL_ROOT_PASSWORD: ['x'.repeat(201)],
    DATABASE_URL: ['sqlite:', 'sqlite: ', 'mysql://x'],
    WORKERS: ['0', '65'],
    UPSTREAM_IDLE_TIMEOUT: ['0', '1s'],
    RATE_LIMIT_API: ['10', '10/', 'off', '-1/5', '5/0'],
    RATE_LIMIT_WEB: ['x/y'],
    GITHUB_URL: ['github.com', 'ftp://github.com'],
    HTTP_PROXY: ['socks5://127.0.0.1:1080', 'ftp://proxy.example', 'http://', 'two words'],
    HTTPS_PROXY: ['socks5://127.0.0.1:1080'],
  }
  const cases = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const))
  test.each(cases)('%s=%s', (name, value) => {
    expect(refusal({ [name]: value })).toContain(name)
  })
})

test('several workers need PostgreSQL', () => {
  expect(refusal({ WORKERS: '2' })).toContain('WORKERS')
  expect(refusal({ WORKERS: '2', PORT: 'http' })).toMatch(/PORT must [\s\S]*WORKERS above 1 needs PostgreSQL/)
  expect(refusal({ WORKERS: '2', DATABASE_URL: 'mysql://x' })).not.toContain('WORKERS')
  expect(readConfig({ WORKERS: '2', DATABASE_URL: 'postgres://localhost/x' }).WORKERS).toBe(2)
})

test('a proxy is given as the runtime takes it', () => {
  for (const proxy of ['http://me:secret@proxy.example:3128/', 'https://proxy.example', 'proxy.example:3128']) {
    expect(readConfig({ HTTP_PROXY: proxy, https_proxy: proxy })).toMatchObject({
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
    })
  }
})

test('a rate limit of 0 is off', () => {
  expect(readConfig({ RATE_LIMIT_API: '0' }).RATE_LIMIT_API).toBeNull()
})

test('every default is itself valid', () => {
  expect(
    refusal(Object.fromEntries(Object.entries(variables).map(([name, { default: value }]) => [name, value]))),
  ).toBe('')
})
