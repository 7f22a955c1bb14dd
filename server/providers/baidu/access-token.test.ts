import { describe, expect, test } from 'bun:test'
import { providerOf } from '#server/providers/index.ts'
import { targetOf, toolsOf } from '#server/providers/testing.ts'

describe("Baidu's access token", () => {
  const month = { access_token: 'T1', expires_in: 2_592_000 }
  const ask = (key: string, tools: ReturnType<typeof toolsOf>) =>
    providerOf(15).call(targetOf(15, { key, model: 'ERNIE-Bot' }), '{}', tools)

  test('is exchanged once for many requests', async () => {
    const tools = toolsOf(month)
    await Promise.all([ask('once|s', tools), ask('once|s', tools)])
    await ask('once|s', tools)
    expect(tools.seen.map((each) => each.url)).toEqual([
      'https://base.example/oauth/2.0/token?grant_type=client_credentials&client_id=once&client_secret=s',
    ])
  })

  test('still comes for those who wait when the one who asked first has left', async () => {
    const leaving = new AbortController()
    const tools = toolsOf(month)
    const first = ask('shared|s', { ...tools, signal: leaving.signal })
    const second = ask('shared|s', tools)
    leaving.abort()
    expect(tools.seen[0]?.init?.signal?.aborted).toBe(false)
    await first
    expect((await second).url).toEndWith('access_token=T1')
  })

  test('is renewed in its last hour while the old one is used', async () => {
    const tools = toolsOf({ access_token: 'T1', expires_in: 3000 }, { access_token: 'T2', expires_in: 2_592_000 })
    expect((await ask('short|s', tools)).url).toEndWith('access_token=T1')
    expect((await ask('short|s', tools)).url).toEndWith('access_token=T1')
    await Bun.sleep(0)
    expect((await ask('short|s', tools)).url).toEndWith('access_token=T2')
    expect(tools.seen).toHaveLength(2)
  })

  test('is dropped when it is refused, and then the call is worth one more try', async () => {
    const tools = toolsOf(month, { access_token: 'T2', expires_in: 2_592_000 })
    const target = targetOf(15, { key: 'stale|s', model: 'ERNIE-Bot' })
    const fault = providerOf(15).dialect(target).decodeError(200, { error_code: 110, error_msg: 'x' })
    await ask('stale|s', tools)
    expect(providerOf(15).refresh?.(fault, target)).toBe(true)
    expect(providerOf(15).refresh?.(fault, target)).toBe(false)
    expect((await ask('stale|s', tools)).url).toEndWith('access_token=T2')
  })

  test('a refused key is an error with the reason', async () => {
    const tools = toolsOf(
      Response.json({ error: 'invalid_client', error_description: 'unknown client id' }, { status: 401 }),
    )
    await expect(ask('bad|s', tools)).rejects.toThrow('unknown client id')
  })
})
