import { expect, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { optionsApi } from '#shared/api/options.ts'
import type { ApiClient } from './support/api-client.ts'
import { choose, expectAccessible, themes } from './support/axe.ts'
import { makeChannel } from './support/make.ts'
import { chat, makeSpender } from './support/relay.ts'
import { test as base } from './support/test.ts'

interface Day {
  /** Created, topped up once, and chatted twice with a token each: four rows. */
  spender: ApiClient
  tokens: [string, string]
  channel: number
}

const test = base.extend<object, { day: Day }>({
  day: [
    async ({ root, server, thirdParties }, use) => {
      const models = 'gpt-4o-mini,gpt-4o'
      const { name } = await makeChannel(root, { base_url: thirdParties.url, models, priority: 1000 })
      const { list } = await root.call(channelsApi.search, { keyword: name })
      const spender = await makeSpender(root, server.url)
      const first = await chat(spender, server.url, 'gpt-4o-mini')
      const second = await chat(spender, server.url, 'gpt-4o')
      const channel = list[0]?.id ?? 0
      // From now on the channels of other tests come first.
      await root.call(channelsApi.update, { id: channel, priority: 0 })
      await use({ spender, tokens: [first, second], channel })
    },
    { scope: 'worker' },
  ],
})

/** All fields of the filter at once. */
const openFields = (page: Page) => page.getByRole('button', { name: 'All fields' }).click()

const headers = (page: Page) => page.locator('thead th')
const rows = (page: Page) => page.locator('tbody tr:not([aria-busy])')
const panel = (page: Page) => page.getByRole('complementary', { name: 'The row in detail' })
const common = ['Token', 'Type', 'Model', 'Prompt', 'Completion', 'Quota', 'Details']

test('people see their own rows without channel and user [spec 2 log columns] [spec 4 timestamps]', async ({
  page,
  day,
  enterAs,
}) => {
  await enterAs(day.spender)
  await page.goto('/log')
  await expect(rows(page)).toHaveCount(4)
  await expect(headers(page)).toHaveText(['Time', ...common])
  await expect(page.getByLabel('Token name')).toBeVisible()
  await expect(page.getByLabel('Channel ID')).toHaveCount(0)
  await expect(page.getByLabel('Username')).toHaveCount(0)
  const dear = rows(page).filter({ hasText: day.tokens[1] })
  await expect(dear.locator('td').first()).toHaveText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  await expect(dear).toContainText('1,200')
  await expect(dear).toContainText('3,000')
  await expect(dear).toContainText('$0.006')
})

test('how a request was charged is said in the language of the reader', async ({ page, day, enterAs }) => {
  await enterAs(day.spender)
  await page.goto('/log')
  await expect(rows(page).filter({ hasText: day.tokens[1] })).toContainText(
    'model ratio 1.25, group ratio 1, completion ratio 4',
  )
  await choose(page, { language: 'zh' })
  await page.goto('/log')
  await expect(rows(page).filter({ hasText: day.tokens[1] })).toContainText('模型倍率 1.25，分组倍率 1，补全倍率 4')
})

test('admins see everyone, with channel and user, and filter by both [spec 2 log columns] [spec 2 log filters]', async ({
  page,
  root,
  day,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/log')
  await expect(headers(page)).toHaveText(['Time', 'Channel', 'User', ...common])
  await page.getByLabel('Username').fill(day.spender.user.username)
  await page.getByLabel('Username').press('Enter')
  await expect(rows(page)).toHaveCount(4)
  await page.getByLabel('Channel ID').fill(String(day.channel))
  await page.getByRole('button', { name: 'Query' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Model name').fill('gpt-4o-mini')
  await page.getByRole('button', { name: 'Query' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/model_name=gpt-4o-mini/)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByLabel('Model name')).toHaveValue('gpt-4o-mini')
  await page.getByLabel('Token name').fill(day.tokens[1])
  await page.getByRole('button', { name: 'Query' }).click()
  await expect(page.getByText('Nothing in the log matches these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByLabel('Model name')).toHaveValue('')
  await expect(page).toHaveURL(/\/log$/)
})

test('the fields follow the address, and a query asks again [spec 2 log filters]', async ({ page, day, enterAs }) => {
  await enterAs(day.spender)
  await page.goto(`/log?token_name=${day.tokens[0]}&end_timestamp=1`)
  await expect(page.getByText('Nothing in the log matches these filters.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log', exact: true }).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByLabel('Token name')).toHaveValue('')
  await expect(page.getByLabel('End time', { exact: true })).not.toHaveValue(/^19(70|69)-/)
  await Promise.all([page.waitForRequest('**/api/log/self?**'), page.getByRole('button', { name: 'Query' }).click()])
})

test('times filter too, and a time that is none is reported on its field [spec 2 log filters]', async ({
  page,
  day,
  enterAs,
}) => {
  await enterAs(day.spender)
  await page.goto('/log')
  await expect(rows(page)).toHaveCount(4)
  await page.getByLabel('End time', { exact: true }).fill('2020-01-01')
  await page.getByRole('button', { name: 'Query' }).click()
  await expect(page.getByText('Nothing in the log matches these filters.')).toBeVisible()
  await page.getByLabel('Start time', { exact: true }).fill('yesterday')
  await page.getByRole('button', { name: 'Query' }).click()
  await expect(page.getByText('time format error')).toBeVisible()
})

test('the window is from a day ago to an hour from now, and from 0 when its start is empty [spec 9 log window]', async ({
  page,
  day,
  enterAs,
}) => {
  await enterAs(day.spender)
  const [request] = await Promise.all([page.waitForRequest('**/api/log/self?**'), page.goto('/log')])
  const asked = new URL(request.url()).searchParams
  const ago = Date.now() / 1000 - Number(asked.get('start_timestamp'))
  expect(Math.abs(ago - 86_400)).toBeLessThan(100)
  const ahead = Number(asked.get('end_timestamp')) - Date.now() / 1000
  expect(ahead).toBeGreaterThan(3500)
  expect(ahead).toBeLessThan(3700)
  const all = page.waitForRequest((one) => new URL(one.url()).searchParams.get('start_timestamp') === '0')
  await page.getByRole('textbox', { name: 'Start time' }).fill('')
  await page.keyboard.press('Enter')
  await all
  await expect(page.getByLabel('Start time', { exact: true })).toHaveValue(/^19(70|69)-/)
})

test('the dropdown has every type and answers at once [spec 2 log types] [spec 4 log types]', async ({
  page,
  root,
  day,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto(`/log?username=${day.spender.user.username}`)
  const type = page.getByLabel('Type', { exact: true })
  await expect(type.locator('option')).toHaveText(['All', 'Top-up', 'Consumption', 'Admin', 'System'])
  await type.selectOption('Top-up')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('5,000,000')
  await type.selectOption('Consumption')
  await expect(rows(page)).toHaveCount(2)
  await page.goto('/log?type=3')
  await expect(rows(page).first()).toContainText('Admin')
})

test('the total is shown on demand, for the filters as they are, and refreshed [spec 2 log total]', async ({
  page,
  day,
  server,
  enterAs,
}) => {
  await enterAs(day.spender)
  await page.goto(`/log?token_name=${day.tokens[1]}`)
  await page.getByRole('button', { name: 'Click to view' }).click()
  const total = page.getByText('Total consumed').locator('..')
  await expect(total).toContainText('$0.006')
  await expect(total).toContainText('3000')
  const [answer] = await Promise.all([
    page.waitForResponse('**/api/log/self/stat?**'),
    page.getByRole('button', { name: 'Refresh the total' }).click(),
  ])
  expect(answer.url()).toContain(server.url)
  await page.getByLabel('Token name').fill('')
  await page.getByRole('button', { name: 'Query' }).click()
  await expect(page.getByRole('button', { name: 'Click to view' })).toBeVisible()
})

test('a row explains its charge', { tag: '@smoke' }, async ({ page, day, enterAs }) => {
  await enterAs(day.spender)
  await page.goto(`/log?token_name=${day.tokens[1]}`)
  await page.getByRole('button', { name: /^Details of the row/ }).press('Enter')
  const details = panel(page)
  await expect(details.getByRole('heading', { level: 2 })).toBeFocused()
  await expect(details).toContainText('1,200 × $2.50$0.003000')
  await expect(details).toContainText('300 × $10.00$0.003000')
  await expect(details).toContainText('Charged3,000 quota$0.006000')
  await expect(details).toContainText('Answered')
  await expect(page).toHaveURL(/open=/)
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(page.getByRole('button', { name: /^Details of the row/ })).toBeFocused()
})

test('the list stays beside the panel: the arrows lead from row to row, the address opens it again', async ({
  page,
  root,
  day,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto(`/log?username=${day.spender.user.username}&type=2`)
  await page
    .getByRole('button', { name: /^Details of the row/ })
    .first()
    .click()
  const title = panel(page).getByRole('heading', { level: 2 })
  await expect(title).toHaveText('gpt-4o')
  await expect(headers(page)).toHaveText(['Time', 'Model, token, user', 'Prompt', 'Completion', 'First byte', 'Spent'])
  await expect(panel(page).getByText('Channels there were')).toBeVisible()
  await expect(panel(page).getByRole('link', { name: 'Explain route' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(title).toHaveText('gpt-4o-mini')
  await page.reload()
  await expect(title).toHaveText('gpt-4o-mini')
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).not.toHaveURL(/open=/)
})

test('the pager shows one page at each side of the current one [spec 9 pagination siblings]', async ({
  page,
  root,
  enterAs,
}) => {
  for (let change = 0; change < 92; change += 1)
    await root.call(optionsApi.update, { key: 'RetryTimes', value: String((change + 1) % 2) })
  await enterAs(root)
  await page.goto('/log?type=3&page=5')
  const pager = page.getByRole('navigation', { name: 'Pages' })
  const numbers = pager.getByRole('button').filter({ hasText: /^\d+$/ })
  await expect(numbers.first()).toHaveText('1')
  const shown = (await numbers.allTextContents()).map(Number)
  expect(shown.filter((number) => number !== 1 && number !== Math.max(...shown))).toEqual([4, 5, 6])
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=6/)
})

test('a page past the last row leads back to the first [spec 9 page count]', async ({ page, day, enterAs }) => {
  await enterAs(day.spender)
  await page.goto('/log?page=2')
  await expect(page.getByText('This page has no rows.')).toBeVisible()
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await expect(rows(page)).toHaveCount(4)
})

test('on a phone chips say what is set, and all fields fold away', async ({ page, day, enterAs }) => {
  await enterAs(day.spender)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/log?type=2&token_name=${day.tokens[0]}`)
  await expect(page.getByRole('list', { name: 'Log' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('button', { name: `Remove the filter Token ${day.tokens[0]}` })).toBeVisible()
  await openFields(page)
  await expect(page.getByLabel('Token name')).toHaveValue(day.tokens[0])
  await page.getByRole('button', { name: /^Details of the row/ }).click()
  await expect(panel(page)).toContainText('Charged')
  expect((await panel(page).boundingBox())?.width).toBe(390)
  await expectAccessible(page)
})

test('the log speaks Chinese', async ({ page, day, enterAs }) => {
  await enterAs(day.spender)
  await choose(page, { language: 'zh' })
  await page.goto('/log')
  await expect(headers(page)).toHaveText(['时间', '令牌', '类型', '模型', '提示', '补全', '额度', '详情'])
  await page.getByRole('button', { name: '点击查看' }).click()
  await expect(page.getByText('总消耗额度').locator('..')).toContainText('$0.006')
})

for (const theme of themes) {
  test(`axe finds nothing on the log in ${theme}`, async ({ page, root, day, enterAs }) => {
    await enterAs(root)
    await choose(page, { theme })
    await page.goto(`/log?username=${day.spender.user.username}`)
    await expect(rows(page)).toHaveCount(4)
    await expectAccessible(page)
    await page
      .getByRole('button', { name: /^Details of the row/ })
      .first()
      .click()
    await expect(panel(page).getByText('Charged')).toBeVisible()
    await expectAccessible(page)
  })
}
