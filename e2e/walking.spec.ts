import { test as base, expect } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { usersApi } from '#shared/api/users.ts'
import { logIn } from './support/api-client.ts'
import { expectAccessible } from './support/axe.ts'
import { expectToast } from './support/lists.ts'
import { makeToken, makeUser, userPassword } from './support/make.ts'
import { offeredModels, startProvider } from './support/provider-double.ts'
import { startServer } from './support/running-server.ts'
import { toasts } from './support/site.ts'
import { test } from './support/test.ts'

test('a half-filled form asks before it is left, and is left when that is confirmed', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/token/add')
  await page.getByLabel('Name').fill('half')
  await page.getByRole('link', { name: 'Channels' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('not saved')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('half')
  await page.getByRole('link', { name: 'Channels' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/channel$/)
})

test('cancel and save leave without a question', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/token/add')
  await page.getByLabel('Name').fill('given up')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/token$/)
  await page.goto('/token/add')
  await page.getByLabel('Name').fill('kept')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page).toHaveURL(/\/token$/)
})

test('the way back asks too: it stays on the form, or leads where it was to lead', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/log')
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Add token' }).first().click()
  const name = page.getByLabel('Name')
  await name.fill('half')
  const question = page.getByRole('dialog')
  for (const _ of ['once', 'again']) {
    await page.goBack()
    await expect(question).toContainText('not saved')
    await expect(page).toHaveURL(/\/token\/add$/)
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(name).toHaveValue('half')
  }
  await page.goBack()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Log' })).toBeVisible()
})

test('settings that are not saved ask too', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/token')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.goto('/setting?tab=operations')
  await page.getByLabel('Chat link').fill('https://chat.example')
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Chat link')).toHaveValue('https://chat.example')
})

test('an expiry in the past is refused on the field', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/token/add')
  await page.getByLabel('Name').fill('late')
  await page.getByRole('textbox', { name: 'Expiry' }).fill('2020-01-01 00:00:00')
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByText('the expiry time is in the past')).toBeVisible()
  await expect(page).toHaveURL(/\/token\/add$/)
})

test('the edit page of a missing thing says so, with a way back', async ({ page, root, enterAs }) => {
  await enterAs(root)
  for (const [path, words, back] of [
    ['/channel/edit/999999', 'The channel does not exist', 'Channels'],
    ['/redemption/edit/999999', 'The redemption code does not exist', 'Redemption'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByText(words)).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`Back to ${back}`) })
      .click()
    await expect(page).not.toHaveURL(/edit/)
  }
})

test('a banned user is shown the ban and signed out', async ({ page, server, root, enterAs }) => {
  const { username } = await makeUser(root)
  const client = await logIn(server.url, username, userPassword)
  await enterAs(client)
  await page.goto('/token')
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await root.call(usersApi.manage, { username, action: 'disable' })
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page).toHaveURL(/\/login\?banned=true/)
  await expectToast(page, 'error', 'has been banned')
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
})

test('the log opens on the last day; an empty start means from the beginning', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/log')
  await expect(page.getByRole('button', { name: '24 h' })).toHaveAttribute('aria-pressed', 'true')
  const asked = page.waitForRequest(
    (request) => request.url().includes('/api/log/?') && request.url().includes('start_timestamp=0'),
  )
  await page.getByRole('textbox', { name: 'Start time' }).fill('')
  await page.keyboard.press('Enter')
  await asked
  await expect(page).toHaveURL(/start_timestamp=0/)
})

test('a top-up page that cannot load balance and top-ups says so and tries again', async ({ page, root, enterAs }) => {
  await enterAs(root)
  const own = /\/api\/(user|log)\/self/
  await page.route(own, (route) => route.fulfill({ status: 500, json: { success: false, message: '' } }))
  await page.goto('/topup')
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await expect(again).toHaveCount(2)
  await page.unroute(own)
  await again.last().click()
  await expect(page.getByRole('heading', { name: 'Top-up history' })).toBeVisible()
  await again.click()
  await expect(page.getByText('Remaining quota')).toBeVisible()
})

test('a channel is tested in its form before it is saved', async ({ page, root, enterAs }) => {
  const provider = await startProvider()
  await enterAs(root)
  await page.goto('/channel/add')
  await page.getByRole('textbox', { name: 'Key' }).fill('bad-key')
  await page.getByLabel('Base URL').fill(provider.url)
  await page.getByRole('button', { name: "Fill with this type's models" }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText(/this key is wrong/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Key' }).fill('good-key')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText(/answered in/)).toBeVisible()
  await provider.stop()
})

test('every page has a title of its own', async ({ page, root, enterAs }) => {
  await enterAs(root)
  const titles = new Map<string, string>()
  for (const path of [
    '/',
    '/welcome',
    '/token',
    '/setting',
    '/setting?tab=operations',
    '/setting?tab=system',
    '/about',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    titles.set(await page.title(), path)
  }
  expect([...titles.keys()]).toEqual([
    'Overview · Switchyard',
    'Switchyard',
    'Tokens · Switchyard',
    'Settings · Switchyard',
    'Operations · Settings · Switchyard',
    'System · Settings · Switchyard',
    'About · Switchyard',
  ])
})

test('tokens lead to their log', async ({ page, root, enterAs }) => {
  await enterAs(root)
  const { name } = await makeToken(root)
  await page.goto('/token')
  await page.getByTitle(`Log of ${name}`).click()
  await expect(page).toHaveURL(new RegExp(`/log\\?token_name=${name}`))
})

base('first steps lead from an empty installation to a first answer', async ({ page }) => {
  const [server, provider] = [await startServer({ INITIAL_ROOT_PASSWORD: '123456' }), await startProvider()]
  const root = await logIn(server.url, 'root', '123456')
  await page.context().addCookies([{ ...root.session, url: server.url }])
  await page.addInitScript((user) => localStorage.setItem('user', user), JSON.stringify(root.user))
  const begun = Date.now()
  await page.goto(server.url)
  await expect(page.getByText('0 of 5 steps done')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a channel' }).click()
  await page.getByLabel('Name').fill('first-provider')
  await page.getByRole('textbox', { name: 'Key' }).fill('a-key')
  await page.getByLabel('Base URL').fill(provider.url)
  await page.getByRole('button', { name: 'Add and test' }).click()
  await expect(page.getByText('2 of 5 steps done')).toBeVisible()
  await page.getByRole('button', { name: 'Create a token' }).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByText('3 of 5 steps done')).toBeVisible()
  await page.getByRole('button', { name: 'Send the first request' }).click()
  await expect(page.getByRole('region', { name: 'Address' })).toHaveText(`${server.url}/v1`)
  await expect(page.getByRole('region', { name: 'Key' })).toContainText(/^sk-.*•/)
  await expect(page.getByRole('region', { name: 'curl' })).toContainText(`curl ${server.url}/v1/chat/completions`)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open the playground' }).click()
  await expect(page).toHaveURL(/\/playground/)
  await page.goto(`${server.url}/playground?model=gpt-4o-mini`)
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'gpt-4o-mini' }).getByText('hello', { exact: true })).toBeVisible()
  expect(Date.now() - begun).toBeLessThan(120_000)
  await page.goto(server.url)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(page.getByText('First steps')).toBeHidden()
  await server.stop()
  await provider.stop()
})

base(
  'whoever changes the first password comes to the first steps, and a custom channel gets its own models',
  async ({ page }) => {
    const [server, provider] = [await startServer({ INITIAL_ROOT_PASSWORD: '123456' }), await startProvider()]
    await page.goto(`${server.url}/login`)
    await page.getByLabel('Username or email').fill('root')
    await page.getByRole('textbox', { name: 'Password' }).fill('123456')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/user\/edit$/)
    await page.getByRole('textbox', { name: 'New password' }).fill('a-better-password')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('1 of 5 steps done')).toBeVisible()

    await page.getByLabel('Type').selectOption({ label: 'Custom channel' })
    await page.getByRole('textbox', { name: 'Key' }).fill('a-key')
    await page.getByLabel('Base URL').fill('http://127.0.0.1:9')
    await page.getByRole('button', { name: 'Add and test' }).click()
    await expect(toasts(page, 'error')).toContainText('list could not be used')
    await expect(page.getByText('1 of 5 steps done')).toBeVisible()
    await page.getByLabel('Base URL').fill(provider.url)
    await page.getByRole('button', { name: 'Add and test' }).click()
    await expect(page.getByText('3 of 5 steps done')).toBeVisible()
    const root = await logIn(server.url, 'root', 'a-better-password')
    const [channel] = (await root.call(channelsApi.list, {})).list
    expect(channel?.models).toBe(offeredModels.join(','))
    await server.stop()
    await provider.stop()
  },
)
