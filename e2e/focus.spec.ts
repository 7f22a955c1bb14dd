import { expect } from '@playwright/test'
import { pressOn } from './support/keys.ts'
import { makeToken } from './support/make.ts'
import { test } from './support/site.ts'

/** What is pressed and then goes away, or can be pressed no longer, leaves the focus near where it was. */
test('at the last page the focus stays in the pager', async ({ page, member, enterAs }) => {
  for (let made = 0; made < 11; made += 1) await makeToken(member)
  await enterAs(member)
  await page.goto('/token')
  await pressOn(page, page.getByRole('button', { name: 'Next page' }))
  await expect(page.getByRole('button', { name: 'Page 2' })).toBeFocused()
  await pressOn(page, page.getByRole('button', { name: 'Previous page' }))
  await expect(page.getByRole('button', { name: 'Page 1' })).toBeFocused()
})

test('a chip that is taken away gives the focus to the next one, the last to "Add filter"', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/log?token_name=ci&model_name=gpt-4o')
  await pressOn(page, page.getByRole('button', { name: 'Remove the filter Model gpt-4o' }))
  const last = page.getByRole('button', { name: 'Remove the filter Token ci' })
  await expect(last).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(last).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add filter' })).toBeFocused()
})

test('a notice that is dismissed gives the focus to the title', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/channel')
  await pressOn(page, page.getByRole('button', { name: 'Dismiss this notice' }))
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeFocused()
})

test('the total that was asked for gives the focus to its refresh', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/log')
  await pressOn(page, page.getByRole('button', { name: 'Click to view' }))
  await expect(page.getByRole('button', { name: 'Refresh the total' })).toBeFocused()
})
