/** Pictures of the main screens, taken from the running product with believable data, into docs/images. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { logIn } from '../e2e/support/api-client.ts'
import { rootPassword, startServer } from '../e2e/support/running-server.ts'
import { owner } from './demo/data.ts'
import { fillDemo } from './demo/fill.ts'
import { addHistory } from './demo/history.ts'
import { startDemoUpstream } from './demo/upstream.ts'
import { chromiumEnvironment } from './lib/chromium.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

interface Shot {
  name: string
  path: string
  theme: 'light' | 'dark'
  phone?: boolean
  /** A text that is there once the page has its data. */
  shows: string
  /** What is done on the page before the picture. */
  prepare?: (page: Page) => Promise<void>
}

const openRequest = async (page: Page) => {
  const row = page.getByRole('row').filter({ hasText: 'claude-sonnet-4-5' }).first()
  await row.getByRole('button', { name: /^Details/ }).click()
  await page.getByRole('complementary').getByText('anthropic-direct').first().waitFor()
}

/** Every picture. Adding one is one line. */
const shots: readonly Shot[] = [
  { name: 'overview-light', path: '/', theme: 'light', shows: 'Profit' },
  { name: 'channels-light', path: '/channel', theme: 'light', shows: 'openai-primary' },
  { name: 'routing-light', path: '/routing?model=gpt-4o', theme: 'light', shows: 'openai-primary' },
  { name: 'log-dark', path: '/log', theme: 'dark', shows: 'support-bot', prepare: openRequest },
  { name: 'overview-phone', path: '/', theme: 'dark', phone: true, shows: 'Profit' },
]

const images = join(import.meta.dirname, '..', 'docs', 'images')
const sizeMax = 150_000
const historyDays = 40

/** Where a picture is taken, and as whom. */
interface Visit {
  readonly url: string
  readonly session: { readonly name: string; readonly value: string }
  readonly user: object
}

async function take(browser: Browser, { url, session, user }: Visit, shot: Shot) {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    viewport: shot.phone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  const stored = { theme: shot.theme, user: JSON.stringify(user) }
  await context.addCookies([{ ...session, url }])
  await context.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
  const page = await context.newPage()
  await page.goto(shot.path)
  await page.getByText(shot.shows).first().waitFor()
  await page.waitForLoadState('networkidle')
  await shot.prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  const file = join(images, `${shot.name}.png`)
  await page.screenshot({ path: file })
  await context.close()
  const { size } = statSync(file)
  if (size > sizeMax) throw new Error(`${shot.name}.png has ${size} bytes, more than ${sizeMax}`)
  console.log(`${shot.name}.png ${Math.round(size / 1000)} KB`)
}

await ensureWebBuilt()
const { CHROME_PATH } = await chromiumEnvironment()
mkdirSync(images, { recursive: true })
const wanted = process.argv.slice(2)
const upstream = startDemoUpstream()
const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-demo-'))
const start = () => startServer({ TEST_BUN: process.execPath, DATA_DIR: dataDir })
let server = await start()
const browser = await chromium.launch(CHROME_PATH ? { executablePath: CHROME_PATH } : {})
try {
  const root = await logIn(server.url, 'root', rootPassword)
  await fillDemo(server.url, root, upstream)
  await server.stop()
  addHistory(join(dataDir, 'switchyard.db'), historyDays)
  server = await start()
  for (const shot of shots) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue
    const user = { ...root.user, username: owner.username }
    await take(browser, { url: server.url, session: root.session, user }, shot)
  }
} finally {
  await browser.close()
  await server.stop()
  await upstream.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
