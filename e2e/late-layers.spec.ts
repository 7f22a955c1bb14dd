import { expect, type Locator, type Page } from '@playwright/test'
import { tokensApi } from '#shared/api/tokens.ts'
import { holdScripts } from './support/held.ts'
import { expectToast } from './support/lists.ts'
import { makeToken, uniqueName } from './support/make.ts'
import { phone, test } from './support/site.ts'

test.beforeEach(async ({ enterAs, member }) => enterAs(member))

const accountMenu = (page: Page) => page.getByRole('banner').getByRole('button').last()

const ways: Readonly<Record<string, (button: Locator) => Promise<void>>> = {
  'a click': (button) => button.click(),
  Enter: (button) => button.press('Enter'),
  Space: (button) => button.press(' '),
}

for (const [way, press] of Object.entries(ways)) {
  test(`one press opens a menu whose code is late, and its button stays the same: ${way}`, async ({ page }) => {
    const release = await holdScripts(page, 'menu-layer')
    await page.goto('/token')
    const button = accountMenu(page)
    const drawn = await button.elementHandle()
    await press(button)
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    release()
    await expect(page.getByRole('menu')).toBeVisible()
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(button).toBeFocused()
    expect(await drawn?.evaluate((element) => element.isConnected && element === document.activeElement)).toBe(true)
  })
}

test('a press that lasts while the code arrives leaves the menu open, and the next one closes it', async ({ page }) => {
  const release = await holdScripts(page, 'menu-layer')
  await page.goto('/token')
  const button = accountMenu(page)
  await button.click()
  await page.mouse.down()
  release()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.mouse.up()
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await expect(page.getByRole('menu')).toBeVisible()
  await button.click()
  await expect(page.getByRole('menu')).toBeHidden()
})

test('a small form, a question and a calendar open with one click when their code is late', async ({
  page,
  member,
}) => {
  const { name } = await makeToken(member)
  const release = await holdScripts(page, 'popup-layer|confirm-layer|time-layer')
  await page.goto('/log')
  await page.getByRole('button', { name: 'Add filter' }).click()
  release()
  const filter = page.getByRole('dialog', { name: 'Add filter' })
  await expect(filter).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Add filter' })).toBeFocused()

  await page.unrouteAll()
  const answer = await holdScripts(page, 'confirm-layer')
  await page.goto('/token')
  const remove = page.getByRole('button', { name: `Delete ${name}` })
  await remove.click()
  answer()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(remove).toBeFocused()
  await remove.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(name)).toHaveCount(0)

  await page.unrouteAll()
  const show = await holdScripts(page, 'time-layer')
  await page.goto('/token/add')
  await page.getByRole('button', { name: /pick a date/ }).click()
  show()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /pick a date/ })).toBeFocused()
})

test('a question whose code could not be had once is asked at the next press', async ({ page, member }) => {
  const { name } = await makeToken(member, { name: uniqueName('kept') })
  await page.route(/\/assets\/confirm-layer-/, (route) => route.abort())
  await page.goto('/token')
  const remove = page.getByRole('button', { name: `Delete ${name}` })
  await remove.click()
  await expectToast(page, 'error', 'Error: a part of the console could not be loaded; check your connection')
  await page.unrouteAll()
  await remove.click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect((await member.call(tokensApi.list, {})).total).toBe(1)
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: phone })

  test('one tap opens a menu whose code is late', async ({ page }) => {
    const release = await holdScripts(page, 'menu-layer')
    await page.goto('/token')
    await page.getByRole('banner').getByRole('button', { name: 'Personal' }).tap()
    release()
    await expect(page.getByRole('menu')).toBeVisible()
  })
})
