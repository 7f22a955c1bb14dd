import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { chat, makeSpender, startUpstream } from './support/relay.ts'
import { test } from './support/site.ts'

test('a filter is added by field, how and value with its count, and taken away by its chip [spec 2 log filters]', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  test.slow()
  const upstream = await startUpstream(root, ['gpt-4o', 'gpt-4o-mini'])
  const spender = await makeSpender(root, server.url)
  for (const model of ['gpt-4o', 'gpt-4o-mini']) await chat(spender, server.url, model)
  await upstream.stop()
  const rows = () => page.locator('tbody tr:not([aria-busy])')
  await enterAs(root)
  await page.goto(`/log?username=${spender.user.username}`)
  await expect(rows()).toHaveCount(4)
  const add = page.getByRole('button', { name: 'Add filter' })
  const box = page.getByRole('dialog', { name: 'Add filter' })
  const field = box.getByRole('combobox', { name: 'Field' })
  await add.click()
  await field.selectOption('Model')
  await box.getByRole('combobox', { name: 'How' }).selectOption('is not')
  await box.getByRole('textbox', { name: 'Value' }).fill('4o-mini')
  await expect(box.getByRole('button', { name: /^gpt-4o-mini ?[\d,]+$/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/model_name=gpt-4o-mini&.*not=model_name|not=model_name&.*model_name=gpt-4o-mini/)
  await expect(page.getByText('Model is not')).toBeVisible()
  await expect(rows()).toHaveCount(3)
  await add.click()
  await field.selectOption('Type')
  await box.getByRole('button', { name: 'Consumption' }).click()
  await expect(rows()).toHaveCount(1)
  await page.reload()
  await expect(rows()).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove the filter Model gpt-4o-mini' }).click()
  await expect(rows()).toHaveCount(2)
  await add.click()
  await field.selectOption('To')
  await box.getByRole('textbox', { name: 'To' }).fill('never')
  await box.getByRole('button', { name: 'Apply' }).click()
  await expect(box.getByText('time format error')).toBeVisible()
  await box.getByRole('textbox', { name: 'To' }).fill('2020-01-01')
  await box.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Nothing in the log matches these filters.')).toBeVisible()
  await expectAccessible(page)
})

test('an empty log says what will be there', async ({ page, root, server, enterAs }) => {
  await enterAs(await makeSpender(root, server.url))
  await page.goto('/log?type=2')
  await expect(page.getByText('Nothing in the log matches these filters.')).toBeVisible()
})

/** How much of what stands in a field cannot be seen. */
const hiddenIn = (page: Page, name: string): Promise<number> =>
  page.getByLabel(name, { exact: true }).evaluate((field) => field.scrollWidth - field.clientWidth)

for (const who of ['a user', 'an administrator'])
  test(`the times of the filter are read whole, beside the panel too, by ${who}`, async ({
    page,
    root,
    server,
    enterAs,
  }) => {
    await enterAs(who === 'a user' ? await makeSpender(root, server.url) : root)
    for (const width of [1280, 1100, 1024, 800]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/log?start_timestamp=1700000000&end_timestamp=1999999999')
      const details = page.getByRole('button', { name: /^Details/ }).first()
      await expect(details).toBeVisible()
      if (width === 1280) {
        await details.click()
        await expect(page.getByRole('complementary', { name: 'The row in detail' })).toBeVisible()
      }
      await page.evaluate(() => document.fonts.ready)
      for (const name of ['Start time', 'End time']) expect(await hiddenIn(page, name), `${name}, ${width} px`).toBe(0)
    }
  })
