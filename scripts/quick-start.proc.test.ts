import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs', 'users', 'quick-start.md'), 'utf8')
const examples = [...page.matchAll(/^## (.+)\n\n```(js|sh)\n([\s\S]+?)```/gm)].map(
  ([, title = '', language = '', code = '']) => ({ title, language, code }),
)

let scene: RelayScene
let folder: string

beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello from upstream', { prompt_tokens: 10, completion_tokens: 5 }))
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  // Inside the project, where the clients are installed.
  folder = mkdtempSync(join(cache, 'quick-start-'))
})

afterAll(async () => {
  await scene.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the quick start', () => {
  test('has an example for each client', () => {
    expect(examples.map(({ title }) => title)).toEqual([
      'curl',
      'OpenAI',
      'Anthropic',
      'Google Gen AI',
      'Vercel AI SDK',
      'LangChain',
    ])
  })

  const runnable = examples.filter(({ language }) => language === 'js' || Bun.which('curl') !== null)

  test.each(runnable)('the example for $title works as it is printed', async ({ title, language, code }) => {
    const file = join(folder, `${title.replaceAll(' ', '-')}.${language}`)
    writeFileSync(file, code.replaceAll('https://relay.example.com', scene.app.url))
    const child = Bun.spawn([language === 'js' ? process.execPath : 'sh', file], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', RELAY_KEY: scene.key },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect(out + err).toContain('hello from upstream')
    expect(await child.exited).toBe(0)
  })
})
