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

const mostBytes = 250 * 1024

/** What waits for seconds is no part of the first load, however slow the machine is. */
const dropLateTimers = () => {
  const start = window.setTimeout.bind(window)
  const late = 3000
  window.setTimeout = ((run: TimerHandler, ms = 0, ...args: unknown[]) =>
    ms >= late ? 0 : start(run, ms, ...args)) as typeof window.setTimeout
}

test('no page loads more than 30 files or 250 KB of script and style until it is quiet', async ({
  page,
  root,
  enterAs,
}) => {
  test.slow()
  await page.addInitScript(dropLateTimers)
  const tooMany: Record<string, string[]> = {}
  const tooHeavy: Record<string, number> = {}
  const sizes = new Map<string, number>()
  const sizeOf = async (file: string) => {
    const known = sizes.get(file) ?? gzipSync(await (await page.request.get(file)).body(), { level: 9 }).byteLength
    sizes.set(file, known)
    return known
  }
  const weigh = async (path: string) => {
    const files = await requestsOf(page, path)
    if (files.length > mostFiles) tooMany[`${path}: ${files.length}`] = files
    let bytes = 0
    for (const file of files) if (/\.(js|css)$/.test(file)) bytes += await sizeOf(file)
    if (bytes > mostBytes) tooHeavy[path] = bytes
  }
  for (const { path } of publicScreens) await weigh(path)
  await enterAs(root)
  for (const { path } of await makeScreens(root)) await weigh(path)
  expect(tooMany).toEqual({})
  expect(tooHeavy).toEqual({})
})
