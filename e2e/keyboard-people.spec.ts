import { expect } from '@playwright/test'
import { pricesApi } from '#shared/api/prices.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { usersApi } from '#shared/api/users.ts'
import { pressOn, tabTo, writeInto } from './support/keys.ts'
import { watchClipboard } from './support/lists.ts'
import { makeUser, uniqueName, userPassword } from './support/make.ts'
import { test } from './support/site.ts'

/** People and prices without a pointer, from the first key to the last. */
test.beforeEach(async ({ enterAs, root }) => enterAs(root))

test('Users: one is added, found, promoted, given money and deleted', async ({ page, root }) => {
  const username = uniqueName('keys')
  const found = async () => (await root.call(usersApi.search, { keyword: username })).list[0]
  await page.goto('/user')
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await pressOn(page, page.getByRole('link', { name: 'Add new user' }))
  await writeInto(page, page.getByRole('textbox', { name: 'Username' }), username)
  await writeInto(page, page.getByRole('textbox', { name: 'Password' }), userPassword)
  await page.keyboard.press('Enter')
  await expect.poll(found).toBeTruthy()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()

  await page.keyboard.press('/')
  await expect(page.getByRole('search').getByRole('textbox')).toBeFocused()
  await page.keyboard.type(username)
  await page.keyboard.press('Enter')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await pressOn(page, page.getByRole('button', { name: `Promote ${username}` }))
  await expect.poll(async () => (await found())?.role).toBe(10)

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await writeInto(page, page.getByRole('textbox', { name: 'Remaining quota' }), '$12.50')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await found())?.quota).toBe(6_250_000)

  await page.goto(`/user?q=${username}`)
  await pressOn(page, page.getByRole('button', { name: `Delete ${username}` }))
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(page.getByRole('button', { name: `Delete ${username}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await pressOn(page, question.getByRole('button', { name: 'Delete' }))
  await expect.poll(found).toBeUndefined()
})

test('Users: several are ticked and disabled together', async ({ page, root }) => {
  const prefix = uniqueName('pair')
  for (const end of ['a', 'b']) await makeUser(root, { username: `${prefix}${end}` })
  await page.goto(`/user?q=${prefix}`)
  await expect(page.locator('tbody tr')).toHaveCount(2)
  for (const key of ['j', 'x', 'j', 'Shift+X']) await page.keyboard.press(key)
  await expect(page.getByText('2 selected')).toBeVisible()
  await pressOn(page, page.getByRole('button', { name: 'Disable', exact: true }))
  const states = async () => (await root.call(usersApi.search, { keyword: prefix })).list.map(({ status }) => status)
  await expect.poll(states).toEqual([2, 2])
})

test('Sync prices: a file is chosen, its differences read, one applied and taken back', async ({ page, root }) => {
  const cost = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }
  const data = JSON.stringify({ 'keyed-one': cost, 'keyed-two': cost })
  const listed = async () => (await root.call(pricesApi.list, { keyword: 'keyed-' })).list.map(({ model }) => model)
  await page.goto('/price')
  await pressOn(page, page.getByRole('link', { name: 'Sync prices' }))
  await expect(page.getByRole('heading', { name: 'Sync prices' })).toBeVisible()
  const sources = page.getByRole('radiogroup')
  await tabTo(page, sources.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowUp')
  await expect(sources.getByRole('radio', { name: /^A file/ })).toBeChecked()
  await tabTo(page, page.getByRole('button', { name: 'File', exact: true }))
  const choosing = page.waitForEvent('filechooser')
  // By then the browser has been asked to leave the choice to the test.
  await page.evaluate(() => document.title)
  await page.keyboard.press('Enter')
  const chooser = await choosing
  await chooser.setFiles({ name: 'p.json', mimeType: 'application/json', buffer: Buffer.from(data) })
  await tabTo(page, page.getByRole('button', { name: 'Show differences' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('keyed-two')).toBeVisible()
  await tabTo(page, page.getByRole('checkbox', { name: /keyed-two/ }))
  await page.keyboard.press('Space')
  await pressOn(page, page.getByRole('button', { name: 'Apply 1 price' }))
  await expect.poll(listed).toEqual(['keyed-one'])
  await pressOn(page, page.getByRole('button', { name: 'Undo' }))
  await expect.poll(listed).toEqual([])
})

test('Teams: somebody is invited by a link, and the invitation ended', async ({ page, root }) => {
  const copied = await watchClipboard(page)
  const team = await root.call(teamsApi.create, { name: uniqueName('Team ') })
  const invites = async () => (await root.call(teamsApi.invites, { id: team.id })).list
  await page.goto(`/team/${team.id}`)
  const open = page.getByRole('button', { name: 'Invite', exact: true })
  await pressOn(page, open)
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('combobox', { name: 'Role' }))
  await page.keyboard.press('ArrowDown')
  await pressOn(page, dialog.getByRole('button', { name: 'Make the link' }))
  await expect(dialog.getByRole('textbox', { name: 'Invitation link' })).toBeFocused()
  await pressOn(page, dialog.getByRole('button', { name: 'Copy and close' }))
  await expect(dialog).toBeHidden()
  await expect(open).toBeFocused()
  expect(await copied()).toContain('/team')
  expect(await invites()).toMatchObject([{ role: 'manager' }])
  await pressOn(page, page.getByRole('button', { name: 'End Invitation' }))
  await expect.poll(invites).toEqual([])
})
