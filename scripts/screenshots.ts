/** Pictures of the main screens, taken from the running product with believable data, into docs/images. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { logIn } from '../e2e/support/api-client.ts'
import { rootPassword, startServer } from '../e2e/support/running-server.ts'
import { owner } from './demo/data.ts'
import { fillDemo } from './demo/fill.ts'
import { startDemoUpstream } from './demo/upstream.ts'
import { chromiumEnvironment } from './lib/chromium.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

interface Shot {
  name: string
  path: string
  theme: 'light' | 'dark'
  phone?: boolean
  visitor?: boolean
  /** What is done on the page before the picture. */
  prepare?: (page: Page) => Promise<void>
}

const editTwo = async (page: Page) => {
  await page.getByLabel('Top-up link').fill('https://pay.switchyard.example/credit')
  await page.getByLabel('Retries on failure').fill('5')
  await page.getByRole('heading', { name: 'Settings' }).click()
}

/** Every picture. Adding one is one line. */
const shots: readonly Shot[] = [
  { name: 'channels-light', path: '/channel', theme: 'light' },
  { name: 'channels-dark', path: '/channel', theme: 'dark' },
  { name: 'tokens-light', path: '/token', theme: 'light' },
  { name: 'log-light', path: '/log', theme: 'light' },
  { name: 'log-dark', path: '/log', theme: 'dark', prepare: (page) => page.getByText('Click to view').click() },
  {
    name: 'channel-form-light',
    path: '/channel/edit/7',
    theme: 'light',
    prepare: (page) => page.getByLabel('Base URL').fill('https://gateway.example.com/anthropic'),
  },
  { name: 'settings-dark', path: '/setting?tab=operations', theme: 'dark', prepare: editTwo },
  { name: 'settings-light', path: '/setting', theme: 'light' },
  { name: 'topup-light', path: '/topup', theme: 'light' },
  { name: 'users-light', path: '/user', theme: 'light' },
  { name: 'login-dark', path: '/login', theme: 'dark', visitor: true },
  { name: 'home-light', path: '/', theme: 'light' },
  { name: 'channels-phone', path: '/channel', theme: 'light', phone: true },
  { name: 'log-phone', path: '/log', theme: 'dark', phone: true },
]

const images = join(import.meta.dirname, '..', 'docs', 'images')
const sizeMax = 150_000

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
  const stored = { theme: shot.theme, ...(shot.visitor ? {} : { user: JSON.stringify(user) }) }
  if (!shot.visitor) await context.addCookies([{ ...session, url }])
  await context.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
  const page = await context.newPage()
  await page.goto(shot.path)
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
const server = await startServer({ TEST_BUN: process.execPath })
const browser = await chromium.launch(CHROME_PATH ? { executablePath: CHROME_PATH } : {})
try {
  const root = await logIn(server.url, 'root', rootPassword)
  await fillDemo(server.url, root, upstream)
  for (const shot of shots) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue
    const user = { ...root.user, username: owner.username }
    await take(browser, { url: server.url, session: root.session, user }, shot)
  }
} finally {
  await browser.close()
  await server.stop()
  await upstream.stop()
}
