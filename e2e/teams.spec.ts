import { expect } from '@playwright/test'
import { teamsApi } from '#shared/api/teams.ts'
import { logIn } from './support/api-client.ts'
import { expectAccessible } from './support/axe.ts'
import { phone } from './support/lists.ts'
import { makeUser } from './support/make.ts'
import { makeSpender } from './support/relay.ts'
import { test } from './support/test.ts'

test('the life of a team: create, invite, join, top up, budget, token, remove, delete', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  const owner = await makeSpender(root, server.url)
  const { username, password } = await makeUser(root)
  const member = await logIn(server.url, username, password)

  await enterAs(owner)
  await page.goto('/team')
  await expect(page.getByText('You are in no team yet.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Team name' }).fill('Atlas')
  await page.getByRole('button', { name: 'Create a team' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Atlas' })).toBeVisible()

  await page.getByRole('button', { name: 'Invite a member' }).click()
  const link = await page.getByLabel('Invitation link').inputValue()
  await page.getByLabel('From your balance').fill('1000000')
  await page.getByRole('button', { name: 'Transfer' }).click()
  await expect(page.locator('dd').first()).toContainText('$2.00')

  await enterAs(member)
  await page.goto(link)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Atlas' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Personal|Atlas/ })).toBeVisible()
  await page.getByRole('link', { name: 'Add team token' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('drafts')
  await page.getByRole('textbox', { name: 'Budget', exact: true }).fill('5000')
  await page.getByLabel('Requests a minute').fill('60')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByText('drafts')).toBeVisible()

  await enterAs(owner)
  const { list } = await owner.call(teamsApi.list, {})
  await page.goto(`/team/${list[0]?.id}`)
  await expect(page.getByText('drafts')).toBeVisible()
  const budget = page.getByLabel(`Budget of ${username}`)
  await budget.fill('700')
  await budget.press('Enter')
  await expect(page.getByText('0 % of')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('drafts')).toBeHidden()
  await page.getByRole('button', { name: 'Delete the team' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('You are in no team yet.')).toBeVisible()
})
