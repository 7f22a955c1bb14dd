import { expect } from '@playwright/test'
import { expectToast } from './support/lists.ts'
import { phone, test } from './support/site.ts'

/** What stands where a page has failed. */
const noPage = /Something went wrong on this page|This page could not be loaded/

for (const lost of ['safe-html', 'nav-sheet']) {
  test(`the console stands when the code of its ${lost} cannot be had`, async ({ page, setOptions }) => {
    await setOptions({ Footer: '<p>Run by the ops team</p>' })
    await page.route(new RegExp(`/assets/${lost}-.*js$`), (route) => route.abort())
    await page.setViewportSize(phone)
    const caught = page.waitForEvent('console', (message) => message.text().includes('dynamically imported module'))
    await page.goto('/about')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await caught
    await page.getByRole('button', { name: 'Close menu' }).click()
    await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
    await expect(page.getByText(noPage)).toHaveCount(0)
  })
}

test('the console stands when the code of its toast-view cannot be had, and says what comes once it can', async ({
  page,
}) => {
  const code = /\/assets\/toast-view-.*js$/
  await page.route(code, (route) => route.abort())
  const caught = page.waitForEvent('requestfailed', (request) => code.test(request.url()))
  await page.goto('/login?expired=true')
  await caught
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
  await expect(page.getByText(noPage)).toHaveCount(0)
  await page.unroute(code)
  await page.getByLabel('Username').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill('a-wrong-password')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expectToast(page, 'error', 'Wrong username or password')
})

test('a page that cannot be fetched says so, and comes when the connection is back', async ({
  page,
  context,
  member,
  enterAs,
}) => {
  await enterAs(member)
  await page.goto('/token')
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Playground' }).click()
  await expect(page.getByText('This page could not be loaded.')).toBeVisible()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect(page.getByText('unable to connect to the server normally')).toBeVisible()
  await expect(again).toBeVisible()
  await context.setOffline(false)
  await again.click()
  await expect(page.getByRole('heading', { name: 'Playground' })).toBeVisible()
})
