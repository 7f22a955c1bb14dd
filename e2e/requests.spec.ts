import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { makeScreens, publicScreens } from './support/screens.ts'
import { test } from './support/site.ts'

/** Scripts, styles, fonts and pictures. Figures and lists are asked for one by one, so that one that fails leaves the others. */
const mostFiles = 30

/** Every file a page asks for until it is quiet. */
async function requestsOf(page: Page, path: string): Promise<string[]> {
  // What the page before still asks for is not counted.
  await page.goto('about:blank')
  const asked = new Set<string>()
  const count = (request: { url: () => string }) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) asked.add(pathname)
  }
  page.on('request', count)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  page.off('request', count)
  return [...asked]
}

test('no page takes more than 30 files', async ({ page, root, enterAs }) => {
  test.slow()
  const tooMany: Record<string, string[]> = {}
  const check = async (path: string) => {
    const asked = await requestsOf(page, path)
    if (asked.length > mostFiles) tooMany[`${path}: ${asked.length}`] = asked
  }
  for (const { path } of publicScreens) await check(path)
  await enterAs(root)
  for (const { path } of await makeScreens(root)) await check(path)
  expect(tooMany).toEqual({})
})

const mostBytes = 250_000

test('the login and the lists load at most 250 KB of script and style, with all that comes after the first', async ({
  page,
  root,
  enterAs,
}) => {
  const weights: Record<string, number> = {}
  const weigh = async (path: string) => {
    const files = (await requestsOf(page, path)).filter((file) => /\.(js|css)$/.test(file))
    const sizes = files.map(
      async (file) => gzipSync(await (await page.request.get(file)).body(), { level: 9 }).byteLength,
    )
    weights[path] = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
  await weigh('/login')
  await enterAs(root)
  for (const path of ['/about', '/token', '/log', '/channel', '/user', '/redemption']) await weigh(path)
  expect(Object.entries(weights).filter(([, bytes]) => bytes > mostBytes)).toEqual([])
})
