import { expect, type Locator } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { optionsApi } from '#shared/api/options.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { logIn } from './support/api-client.ts'
import { hold } from './support/held.ts'
import { makeChannel, makeUser, uniqueName } from './support/make.ts'
import { test } from './support/site.ts'

/** What people type and paste that is no whole number. None of it may turn into another one. */
const notWhole = ['2.5', '12.50', '1e6', '１２', '0x10', '1 2']

async function type(field: Locator, text: string): Promise<void> {
  await field.click()
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}

test.beforeEach(async ({ enterAs, root }) => enterAs(root))

test('codes: a number that is not whole makes none, and is refused on the field', async ({ page, root }) => {
  const name = uniqueName('codes')
  await page.goto('/redemption/add')
  await page.getByLabel('Name').fill(name)
  const count = page.getByLabel('Number of codes')
  for (const text of [...notWhole, '-3', '$12.50']) {
    await type(count, text)
    await page.getByRole('button', { name: 'Create codes' }).click()
    await expect(count, text).toHaveAttribute('aria-invalid', 'true')
    await expect(count).toHaveValue(text)
  }
  expect((await root.call(redemptionsApi.search, { keyword: name })).total).toBe(0)
  await type(count, ' 2 ')
  const quota = page.getByLabel('Quota')
  await type(quota, '$12.50')
  await expect(page.getByText('$12.50').first()).toBeVisible()
  await page.getByRole('button', { name: 'Create codes' }).click()
  await expect(page).toHaveURL(/\/redemption$/)
  const made = await root.call(redemptionsApi.search, { keyword: name })
  expect(made).toMatchObject({ total: 2, list: [{ quota: 6_250_000 }, { quota: 6_250_000 }] })
})

test('settings: a number is taken as typed or refused, never read as another', async ({ page, root, setOptions }) => {
  await setOptions({ RetryTimes: '3' })
  await page.goto('/setting?tab=operations')
  const retries = page.getByRole('textbox', { name: 'Retries on failure' })
  for (const text of [...notWhole, '-5', '$12.50']) {
    await type(retries, text)
    await expect(retries).toHaveValue(text)
    await retries.blur()
    await expect(retries, text).toHaveAttribute('aria-invalid', 'true')
  }
  await page.getByRole('button', { name: 'Save changes' }).click()
  const stored = (await root.call(optionsApi.list, {})).find(({ key }) => key === 'RetryTimes')
  expect(stored?.value).toBe('3')
  await type(retries, '4')
  await retries.press('ArrowUp')
  await expect(retries).toHaveValue('5')
})

test('channels: priority and weight refuse in their cells what is no whole number', async ({ page, root }) => {
  const { name } = await makeChannel(root, { priority: 7, weight: 3 })
  await page.goto(`/channel?q=${name}`)
  const [priority, weight] = [page.getByLabel(`Priority of ${name}`), page.getByLabel(`Weight of ${name}`)]
  for (const text of notWhole) {
    await type(priority, text)
    await priority.press('Enter')
    await expect(priority, text).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('alert').filter({ hasText: 'must be a whole number' })).toBeVisible()
  }
  await priority.press('Escape')
  await expect(priority).toHaveValue('7')
  await type(weight, '-1')
  await weight.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'not negative' })).toBeVisible()
  await type(priority, '1,000')
  await priority.press('Enter')
  await expect(priority).toHaveValue('1000')
  const [channel] = (await root.call(channelsApi.search, { keyword: name })).list
  expect(channel).toMatchObject({ priority: 1000, weight: 3 })
})

test('channels: what is typed while the number before is being saved stays, and is saved', async ({ page, root }) => {
  const { name } = await makeChannel(root, { priority: 7 })
  await page.goto(`/channel?q=${name}`)
  const priority = page.getByLabel(`Priority of ${name}`)
  const release = await hold(page, /\/api\/channel\/$/)
  await type(priority, '8')
  await priority.press('Enter')
  await expect(priority).toHaveValue('8')
  await priority.fill('95')
  const saved = page.waitForResponse(/\/api\/channel\/$/)
  release()
  await saved
  await expect(page.locator('svg[class*="tick"]')).toBeVisible()
  await expect(priority).toHaveValue('95')
  await priority.press('Enter')
  await expect.poll(async () => (await root.call(channelsApi.search, { keyword: name })).list[0]?.priority).toBe(95)
})

test('channels: a number with more digits than its cell shows that it is cut', async ({ page, root }) => {
  const { name } = await makeChannel(root, { weight: 1_000_000 })
  await page.goto(`/channel?q=${name}`)
  const weight = page.getByLabel(`Weight of ${name}`)
  await expect(weight).toHaveValue('1000000')
  await expect(weight).toHaveCSS('text-overflow', 'ellipsis')
})

test('the log: a channel that is no number is refused, not looked for under another', async ({ page }) => {
  await page.goto('/log')
  const channel = page.getByRole('textbox', { name: 'Channel ID' })
  for (const text of [...notWhole, '-1']) {
    await type(channel, text)
    await channel.press('Enter')
    await expect(channel, text).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(page).not.toHaveURL(/channel=/)
  await type(channel, '25')
  await channel.press('Enter')
  await expect(page).toHaveURL(/channel=25/)
})

test('prices: what is no amount is not saved as a free one', async ({ page, root }) => {
  await makeChannel(root, { models: 'gpt-4.1' })
  await page.goto('/price?q=gpt-4.1')
  const input = page.getByRole('textbox', { name: 'Input price of gpt-4.1', exact: true })
  for (const text of ['abc', '1e6', '-2', '0x10', '１２']) {
    await type(input, text)
    await expect(input, text).toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('button', { name: 'Save prices' }).click()
    await expect(page.getByText('1 field needs attention')).toBeVisible()
  }
  await type(input, '$2.50')
  await expect(input).not.toHaveAttribute('aria-invalid')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('teams: a budget is typed in dollars, and what is none is refused', async ({ page, root, server }) => {
  const team = await root.call(teamsApi.create, { name: uniqueName('Team ') })
  const { username, password } = await makeUser(root)
  const { code } = await root.call(teamsApi.invite, { id: team.id, role: 'member' })
  await (await logIn(server.url, username, password)).call(teamsApi.join, { code })
  await page.goto(`/team/${team.id}`)
  const budget = page.getByLabel(`Budget of ${username}`)
  for (const text of ['1e6', '-2', '１２', 'x']) {
    await type(budget, text)
    await budget.press('Enter')
    await expect(budget, text).toHaveAttribute('aria-invalid', 'true')
  }
  await type(budget, '$12.50')
  await budget.press('Enter')
  await expect(budget).toHaveValue('12.5')
  const { members } = await root.call(teamsApi.get, { id: team.id })
  expect(members.find((one) => one.username === username)?.budget).toBe(6_250_000)
})
