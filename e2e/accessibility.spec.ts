import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { isThorough } from '#shared/testing/thoroughness.ts'
import { expectAccessible, expectNoSideways, expectReadable } from './support/axe.ts'
import { makeTraffic } from './support/relay.ts'
import { makeScreens, publicScreens, type Screen } from './support/screens.ts'
import { desktop, phone, test } from './support/site.ts'
import { visit } from './support/visit.ts'

async function paint(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
}

/** Width and theme follow at once; `npm test` tries the first of them alone. */
const sizes = isThorough ? [desktop, phone] : [desktop]

async function checkScreen(page: Page, { path, title }: Screen): Promise<void> {
  await visit(page, path, title)
  for (const size of sizes) {
    await page.setViewportSize(size)
    await paint(page, 'light')
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    await expectNoSideways(page, `${path} scrolls sideways at ${size.width}`)
    await test.step(`${path} at ${size.width}`, () => expectAccessible(page))
    if (!isThorough) continue
    await paint(page, 'dark')
    await test.step(`${path} at ${size.width} in dark`, () => expectReadable(page))
  }
  await page.setViewportSize(desktop)
}

test('axe finds nothing on the public screens, in both themes and widths', { tag: '@smoke' }, async ({ page }) => {
  test.slow()
  for (const screen of publicScreens) await checkScreen(page, screen)
  await page.goto('/nowhere')
  await expectAccessible(page)
})

const parts = 4

for (let part = 0; part < parts; part += 1) {
  test(`axe finds nothing on the screens behind the login, in both themes and widths (${part + 1} of ${parts})`, {
    tag: '@smoke',
  }, async ({ page, root, enterAs, server }) => {
    test.slow()
    await enterAs(root)
    const screens = await makeScreens(root)
    if (part === 0) await makeTraffic(root, server.url)
    for (const screen of screens.filter((_, index) => index % parts === part)) await checkScreen(page, screen)
  })
}

test('axe finds nothing on the overview of an ordinary user, in both themes and widths', async ({
  page,
  member,
  enterAs,
}) => {
  await enterAs(member)
  await checkScreen(page, { path: '/', title: 'Overview' })
})

test('axe finds nothing on open menus, questions, dialogs and toasts', async ({ page, root, enterAs, setOptions }) => {
  await setOptions({ WeChatServerAddress: 'https://wechat.example', WeChatAuthEnabled: 'true' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/login?expired=true')
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue with WeChat' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  const [first] = (await makeScreens(root)).filter(({ path }) => path === '/token')
  await enterAs(root)
  await page.goto(first?.path ?? '')
  await page
    .getByRole('button', { name: /^Copy .*more choices$/ })
    .first()
    .click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    await expect(question.locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await page
    .getByRole('button', { name: /^Connect / })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('tab').first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('button', { name: 'Personal' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('a')
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expectAccessible(page)
})
