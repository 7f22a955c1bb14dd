import { describe, expect, test } from 'bun:test'
import type { Json } from '#server/dialects/dialect.ts'
import { providerOf } from './index.ts'
import { toolsOf } from './testing.ts'

describe('what is left', () => {
  const left = (type: number, baseUrl: string, ...answers: unknown[]) => {
    const tools = toolsOf(...answers)
    const balance = providerOf(type).balance?.({ type, key: 'k', baseUrl }, tools)
    return { balance, tools }
  }

  test.each<[number, string, Json, string, number]>([
    [4, 'https://c.example', { total_available: 3 }, 'https://c.example/dashboard/billing/credit_grants', 3],
    [5, 'https://s.example', { data: { credit: '12.5' } }, 'https://s.example/sb-api/user/status?api_key=k', 12.5],
    [
      10,
      'https://api.aiproxy.io',
      { success: true, data: { totalPoints: 7 } },
      'https://aiproxy.io/api/report/getUserOverview',
      7,
    ],
    [
      10,
      'https://p.example',
      { success: true, data: { totalPoints: 7 } },
      'https://p.example/api/report/getUserOverview',
      7,
    ],
    [12, 'https://g.example', { total_remaining: 4 }, 'https://g.example/dashboard/billing/credit_grants', 4],
    [13, 'https://a.example', { total_available: 5 }, 'https://a.example/dashboard/billing/credit_grants', 5],
    [
      20,
      'https://o.example/api',
      { data: { total_credits: 9, total_usage: 2 } },
      'https://o.example/api/v1/credits',
      7,
    ],
    [25, 'https://m.example', { data: { available_balance: 6 } }, 'https://m.example/v1/users/me/balance', 6],
    [
      8,
      'https://api.deepseek.com',
      { balance_infos: [{ total_balance: '8.5' }] },
      'https://api.deepseek.com/user/balance',
      8.5,
    ],
    [
      34,
      'https://api.deepseek.com',
      {
        balance_infos: [
          { currency: 'USD', total_balance: '1.5' },
          { currency: 'CNY', total_balance: '9.5' },
        ],
      },
      'https://api.deepseek.com/user/balance',
      9.5,
    ],
    [38, 'https://f.example', { code: 20000, data: { totalBalance: '8.88' } }, 'https://f.example/v1/user/info', 8.88],
  ])('type %i at %s', async (type, baseUrl, answer, url, amount) => {
    const { balance, tools } = left(type, baseUrl, answer)
    expect(await balance).toBe(amount)
    expect(tools.seen.map((each) => each.url)).toEqual([url])
  })

  test.each([
    'https://o.example/api/v1',
    'https://o.example/api/v1/',
    'https://o.example/api/v1/chat/completions',
    'https://o.example/api/v1/chat/completions#',
  ])('is asked beside the version that an address brings: %s', async (baseUrl) => {
    const credits = left(20, baseUrl, { data: { total_credits: 9, total_usage: 2 } })
    expect(await credits.balance).toBe(7)
    expect(credits.tools.seen[0]?.url).toBe('https://o.example/api/v1/credits')
    const grants = left(12, baseUrl, { total_remaining: 4 })
    expect(await grants.balance).toBe(4)
    expect(grants.tools.seen[0]?.url).toBe('https://o.example/api/dashboard/billing/credit_grants')
  })

  test.each([
    [true, '2024-01-01'],
    [false, '2023-09-23'],
  ])('a relay like this one, payment method %p', async (has_payment_method, start) => {
    const { balance, tools } = left(
      1,
      'https://r.example',
      { hard_limit_usd: 10, has_payment_method },
      { total_usage: 250 },
    )
    expect(await balance).toBe(7.5)
    expect(tools.seen[1]?.url).toBe(
      `https://r.example/v1/dashboard/billing/usage?start_date=${start}&end_date=2024-01-01`,
    )
  })

  test('a refusal is said, without the key', async () => {
    const refused = left(12, 'https://g.example', new Response('no', { status: 403 }))
    await expect(refused.balance).rejects.toThrow('status code: 403')
    const unknown = left(5, 'https://s.example', { msg: 'unknown user' })
    await expect(unknown.balance).rejects.toThrow('unknown user')
    const dollars = left(34, 'https://d.example', { balance_infos: [{ currency: 'USD', total_balance: '1' }] })
    await expect(dollars.balance).rejects.toThrow('no balance in CNY')
  })
})
