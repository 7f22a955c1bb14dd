import { expect, type Page } from '@playwright/test'
import { test as base, desktop, phone, stored, toasts } from './support/site.ts'

/** The list of tokens, whose next answer a test decides. */
const test = base.extend<{ answerTokens: (status: number | 'no network', body?: object) => Promise<void> }>({
  answerTokens: async ({ page, member, enterAs }, use) => {
    await enterAs(member)
    await use(async (status, body) => {
      await page.route('**/api/token/?**', (route) =>
        status === 'no network' ? route.abort() : route.fulfill({ status, ...(body ? { json: body } : { body: '' }) }),
      )
      await page.goto('/token')
    })
  },
})

const refused = (message: string) => ({ success: false, message })

test('429 is shown in its words [spec 8 429]', async ({ page, answerTokens }) => {
  await answerTokens(429, refused('slow down'))
  await expect(toasts(page, 'error')).toHaveText('too many requests, try again later')
})

test('500 is shown in its words [spec 8 500]', async ({ page, answerTokens }) => {
  await answerTokens(500, refused('kaboom'))
  await expect(toasts(page, 'error')).toHaveText('internal server error, contact the administrator')
  await expect(toasts(page, 'error')).toHaveAttribute('role', 'alert')
})

test('405 is an information [spec 8 405]', async ({ page, answerTokens }) => {
  await answerTokens(405)
  await expect(toasts(page, 'info')).toHaveText('this site is a demo only, with no server')
  await expect(toasts(page, 'info')).toHaveAttribute('role', 'status')
})

test('any other status is shown with its message [spec 8 other status]', async ({ page, answerTokens }) => {
  await answerTokens(418, refused('I am a teapot'))
  await expect(toasts(page, 'error')).toHaveText('Error: I am a teapot')
  await page.unrouteAll()
  await answerTokens(502)
  await expect(toasts(page, 'error')).toHaveText('Error: Request failed with status code 502')
})

test('a failure without HTTP is shown the same way [spec 8 no http]', async ({ page, answerTokens }) => {
  await answerTokens('no network')
  await expect(toasts(page, 'error')).toHaveText(
    'Error: the server cannot be reached; check your connection and try again',
  )
})

test('a refusal with status 200 shows what the server says [spec 8 server message]', async ({ page, answerTokens }) => {
  await answerTokens(200, refused('the tokens are on holiday'))
  await expect(toasts(page, 'error')).toHaveText('the tokens are on holiday')
})

test('401 leads to the login from any call [spec 8 401] [spec 4 expired session]', async ({ page, answerTokens }) => {
  await answerTokens(401, refused('who are you'))
  await expect(page).toHaveURL(/\/login\?expired=true$/)
  await expect(toasts(page, 'error')).toHaveText('not logged in or login expired, please log in again')
  await expect.poll(() => stored(page, 'user')).toBeNull()
})

test('a status that cannot be had is reported, and the console works on [spec 8 status fetch]', async ({ page }) => {
  await page.route('**/api/status', (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto('/about')
  await expect(toasts(page, 'error')).toHaveText('unable to connect to the server normally')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
})

/** Starts at the moment the toast is there; the clock of the page stands still in between. */
async function expectLasting(page: Page, kind: Parameters<typeof toasts>[1], duration: number): Promise<void> {
  await expect(toasts(page, kind)).toHaveCount(1)
  await page.clock.runFor(duration - 300)
  await expect(toasts(page, kind)).toHaveCount(1)
  await page.clock.runFor(600)
  await expect(toasts(page, kind)).toHaveCount(0)
}

test('a success lasts 1.5 seconds, a warning 10 [spec 9 toast durations]', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Copy the base URL' })).toBeVisible()
  await page.clock.install()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.resolve()
  })
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.getByRole('button', { name: 'Copy the base URL' }).click()
  await expectLasting(page, 'success', 1500)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
    document.execCommand = () => false
  })
  await page.getByRole('button', { name: 'Copy the base URL' }).click()
  await expectLasting(page, 'warning', 10_000)
})

test('good news takes no click from what lies under it', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.resolve()
  })
  await page.getByRole('button', { name: 'Copy the base URL' }).click()
  await expect(toasts(page, 'success')).toBeVisible()
  const catching = await toasts(page, 'success').evaluate((toast) => {
    const holder = toast.closest('.mantine-Notifications-root')
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    const steps = (from: number, to: number) =>
      Array.from({ length: Math.floor((to - from) / 4) }, (_, at) => from + at * 4)
    return steps(left, right).flatMap((x) =>
      steps(top, bottom).filter((y) => holder?.contains(document.elementFromPoint(x, y)) ?? true),
    ).length
  })
  expect(catching).toBe(0)
})

test('an error lasts 5 seconds, an information 3 [spec 9 toast durations]', async ({ page, answerTokens, member }) => {
  expect(member.user.role).toBe(1)
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await answerTokens(500, refused('kaboom'))
  await expect(toasts(page, 'error')).toHaveCount(1)
  await toasts(page, 'error').getByRole('button', { name: 'Close' }).click()
  await page.clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectLasting(page, 'error', 5000)
  await page.unrouteAll()
  await page.route('**/api/token/?**', (route) => route.fulfill({ status: 405, body: '' }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectLasting(page, 'info', 3000)
})

test('toasts stand at the top right, up to 600 px in the middle [spec 9 toast durations]', async ({
  page,
  answerTokens,
}) => {
  const place = async () => {
    await expect(toasts(page, 'error').first()).toBeVisible()
    const box = await toasts(page, 'error').first().boundingBox()
    if (!box) throw new Error('no toast')
    return box
  }
  await page.setViewportSize({ width: 601, height: desktop.height })
  await answerTokens(500, refused('kaboom'))
  const right = await place()
  expect(right.y).toBeLessThan(100)
  expect(601 - (right.x + right.width)).toBeLessThan(40)
  await page.setViewportSize({ width: 600, height: phone.height })
  await expect.poll(async () => Math.round((await place()).x + (await place()).width / 2)).toBe(300)
  expect((await place()).y).toBeLessThan(100)
})
