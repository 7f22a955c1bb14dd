import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { channelTypeIds, channelTypes } from '#shared/channel-types.ts'
import { providerOf, providers } from './index.ts'
import { targetOf, toolsOf } from './testing.ts'

describe('the list', () => {
  test('serves every channel type, each once', () => {
    const served = providers.flatMap((provider) => provider.types)
    expect([...served].sort((a, b) => a - b)).toEqual(channelTypeIds.toSorted((a, b) => a - b))
    expect(channelTypes.map((type) => providerOf(type.id).types.includes(type.id))).not.toContain(false)
    expect(() => providerOf(99)).toThrow('channel type 99')
  })

  test("a type that is only a row among the channel types speaks OpenAI's shape", async () => {
    const zhinao = channelTypes.find((type) => type.label === '360 Zhinao')
    const target = targetOf(zhinao?.id ?? 0, { baseUrl: zhinao?.baseUrl ?? '', key: 'sk-1' })
    const { url, headers } = await providerOf(target.type).call(target, '', toolsOf())
    expect(url).toBe('https://ai.360.cn/v1/chat/completions')
    expect(headers).toEqual({ authorization: 'Bearer sk-1' })
    expect(providerOf(target.type).dialect(target).id).toBe('openai-chat')
  })

  test('names every file that defines a vendor', async () => {
    const list = await Bun.file(new URL('./index.ts', import.meta.url)).text()
    const files = await Array.fromAsync(new Glob('**/*.ts').scan(import.meta.dir))
    const vendors: string[] = []
    for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
      const text = await Bun.file(`${import.meta.dir}/${file}`).text()
      if (/types: \[\d/.test(text) || /\breseller\(\[/.test(text)) vendors.push(file)
    }
    expect(vendors.length).toBeGreaterThan(20)
    expect(vendors.filter((file) => !list.includes(`from './${file}'`))).toEqual([])
  })

  test('a vendor reports its balance exactly where the console shows a unit for it', () => {
    const known = channelTypes.filter((type) => providerOf(type.id).balance !== undefined).map((type) => type.id)
    expect(known).toEqual(channelTypes.filter((type) => type.balanceUnit !== null).map((type) => type.id))
  })
})
