import { type BrowserContext, expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { expectToast } from './support/lists.ts'
import { makeUser, userPassword } from './support/make.ts'
import { test } from './support/site.ts'

const half = async (page: Page, context: BrowserContext, username: string) => {
  await page.goto('/token/add')
  await page.getByLabel('Name').fill('half')
  const other = await context.newPage()
  await other.goto('/token')
  await other.getByRole('button', { name: username }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(other.getByRole('heading', { name: 'Log in' })).toBeVisible()
  return { other, question: page.getByRole('dialog') }
}

const logInAgain = async (page: Page, username: string) => {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(userPassword)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
}

test('a half-filled form stands when its session ends in another tab, and is saved after a login in another tab', async ({
  page,
  context,
  member,
  enterAs,
}) => {
  await enterAs(member)
  const { other, question } = await half(page, context, member.user.username)
  await expect(question).toContainText('logged out in another tab')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await page.getByRole('button', { name: 'Create token' }).click()
  const opened = context.waitForEvent('page')
  await question.getByRole('link', { name: 'Log in in a new tab' }).click()
  await logInAgain(await opened, member.user.username)
  await expect(question).toHaveCount(0)
  await expect(page.getByLabel('Name')).toHaveValue('half')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expectToast(page, 'success', 'Token created')
  await other.close()
})

test('a half-filled form whose session ended in another tab is given up when its reader leaves', async ({
  page,
  context,
  member,
  enterAs,
}) => {
  await enterAs(member)
  const { question } = await half(page, context, member.user.username)
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('what was half filled in is not shown to another who logs in in another tab', async ({
  page,
  context,
  root,
  member,
  enterAs,
}) => {
  const { username } = await makeUser(root)
  await enterAs(member)
  const { other, question } = await half(page, context, member.user.username)
  await expect(question).toBeVisible()
  await logInAgain(other, username)
  await expect(question).toHaveCount(0)
  await expect(page.getByLabel('Name')).toHaveValue('')
})
