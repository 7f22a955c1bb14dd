import { expect } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { pricesApi } from '#shared/api/prices.ts'
import { expectAccessible } from './support/axe.ts'
import { expectToast, search } from './support/lists.ts'
import { makeChannel, uniqueName } from './support/make.ts'
import { chat, makeSpender, startUpstream } from './support/relay.ts'
import { phone } from './support/site.ts'
import { test } from './support/test.ts'

test.beforeEach(async ({ enterAs, root }) => enterAs(root))

test('a request is explained, and a draft is simulated and applied', { tag: '@smoke' }, async ({ page, root }) => {
  const [one, two] = [uniqueName('track'), uniqueName('track')]
  await makeChannel(root, { name: one, models: 'gpt-4.1', priority: 50 })
  await makeChannel(root, { name: two, models: 'gpt-4.1', priority: 10 })
  await page.goto('/routing?model=gpt-4.1')
  await expect(page.getByRole('status').filter({ hasText: `gpt-4.1 goes to ${one}.` })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: two })
  await expect(row).toContainText('lower priority')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Simulate' }).click()
  await page.getByRole('textbox', { name: `Priority of ${two}` }).fill('90')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 change in this draft')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Apply' }).click()
  await expectToast(page, 'success', 'The draft is in force')
  const { list } = await root.call(channelsApi.search, { keyword: two })
  expect(list[0]?.priority).toBe(90)
})

test('right after a draft is applied the focus has a place and the keys of the console work', async ({
  page,
  root,
}) => {
  const name = uniqueName('track')
  await makeChannel(root, { name, models: 'gpt-4.1' })
  const applyDraft = async (priority: string) => {
    await page.goto('/routing/simulate')
    await page.getByRole('textbox', { name: `Priority of ${name}` }).fill(priority)
    await page.keyboard.press('Enter')
    await expect(page.getByText('1 change in this draft')).toBeVisible()
    await page.getByRole('button', { name: 'Apply' }).focus()
    await page.keyboard.press('Enter')
    const sure = page.getByRole('alertdialog').getByRole('button', { name: 'Apply' })
    await sure.focus()
    await expect(sure).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await applyDraft('41')
  await expect(page.getByText('Change a priority, a weight or a state')).toBeFocused()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL(/\/history$/)
  // While the answer is on its way nothing holds the reader, and it does not bring him back.
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/routing/apply', async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/routing/apply')
  await applyDraft('42')
  await asked
  // The page has seen by then that it is on its way.
  await expect(page.locator('button[data-loading]')).not.toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible()
  answer()
  await expectToast(page, 'success', 'The draft is in force')
  await expect(page).toHaveURL(/\/history$/)
})

test('a channel that would be full says so in words, with the traffic named by its dates; a phone only reads', async ({
  page,
  root,
  server,
}) => {
  const model = uniqueName('full-model')
  await root.call(pricesApi.set, { model, input_usd: 1 })
  const upstream = await startUpstream(root, [model])
  await chat(await makeSpender(root, server.url), server.url, model)
  // How full it is depends on the minute; that is computed by hand elsewhere.
  const worst = { from: 1794218400, to: 1794223800, minutes: 30 }
  await page.route('**/api/routing/simulate', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const channel of answer.data.channels)
      if (channel.name === upstream.name) channel.full = { minutes: 41, worst, instead: ['direct', 'eu'] }
    await route.fulfill({ response, json: answer })
  })
  await page.goto('/routing/simulate')
  await expect(page.getByLabel('Traffic')).toContainText(/Traffic of .*\d+ \w+/)
  const said = page.getByText(`${upstream.name} is full in 41 minutes of the week, most of them on`)
  await expect(said).toContainText('direct and eu take over then.')
  await page.setViewportSize(phone)
  await expect(page.getByText('Drafts are edited on a wider screen.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: `Priority of ${upstream.name}` })).toBeHidden()
  await expect(said).toBeVisible()
  await expectAccessible(page)
  await upstream.stop()
})

test('the length of a prompt and what it needs are held against the model', async ({ page, root }) => {
  await makeChannel(root, { name: uniqueName('track'), models: 'gemini-2.5-pro', priority: 99 })
  await page.goto('/routing?model=gemini-2.5-pro&needs=video')
  const tokens = page.getByLabel('Prompt tokens')
  await tokens.fill('2.5')
  await expect(page.getByText('a whole number')).toBeVisible()
  await tokens.fill('4200')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/prompt=4200/)
  await expect(page.getByText('The prompt costs $0.00525.')).toBeVisible()
  await tokens.fill('2000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('gemini-2.5-pro reads at most 1,048,576 tokens.')).toBeVisible()
  await expectAccessible(page)
})

test('a draft is named, left and taken up again, and says what would hurt', async ({ page, root }) => {
  const name = uniqueName('track')
  await makeChannel(root, { name, models: 'gpt-4.1', priority: 5 })
  await page.goto('/routing/simulate')
  await expect(page.getByRole('columnheader', { name: 'Peak a minute' })).toBeVisible()
  await page.getByRole('textbox', { name: `Priority of ${name}` }).fill('91')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Name it' }).click()
  await page.getByLabel('Name of the draft').fill('spend the commitment')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Draft', { exact: true })).toHaveValue('spend the commitment')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Change a priority, a weight or a state')).toBeVisible()
  await page.getByLabel('Draft', { exact: true }).selectOption('spend the commitment')
  await expect(page.getByRole('textbox', { name: `Priority of ${name}` })).toHaveValue('91')
  await expect(page.getByRole('button', { name: /channels? stays? as/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Forget' }).click()
  await expect(page.getByLabel('Draft', { exact: true })).toHaveCount(0)
})

test('a price is typed, saved, and goes back to the list', async ({ page, root }) => {
  await page.goto('/price')
  await search(page, 'gpt-4.1-nano')
  const input = page.getByRole('textbox', { name: 'Input price of gpt-4.1-nano', exact: true })
  await expect(input).toHaveValue('0.10')
  await expectAccessible(page)
  await input.fill('0.35')
  await expect(page.getByText('1 unsaved price')).toBeVisible()
  await page.getByRole('button', { name: 'Save prices' }).click()
  await expectToast(page, 'success', 'Prices saved')
  const priced = await root.call(pricesApi.list, { keyword: 'gpt-4.1-nano' })
  expect(priced.list.find(({ model }) => model === 'gpt-4.1-nano')).toMatchObject({ input_usd: 0.35, output_usd: 0.4 })
  await page.getByRole('button', { name: 'Use list' }).click()
  await expectToast(page, 'success', 'back at its list price')
  await expect(input).toHaveValue('0.10')
  await page.getByRole('link', { name: 'Sync prices' }).click()
  await expect(page.getByRole('button', { name: 'Show differences' })).toBeVisible()
  await expectAccessible(page)
})

test('models are shown with their price, and open beside the list', async ({ page, root }) => {
  await makeChannel(root, { name: uniqueName('track'), models: 'claude-sonnet-4-5,gpt-4.1' })
  await page.goto('/model')
  await search(page, 'claude-sonnet-4-5')
  await page.getByRole('button', { name: 'Show claude-sonnet-4-5' }).click()
  await expect(page.getByRole('complementary', { name: 'claude-sonnet-4-5' })).toContainText('Anthropic')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: 'claude-sonnet-4-5' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show claude-sonnet-4-5' }).click()
  await expect(page).toHaveURL(/open=claude/)
  await page.goBack()
  await expect(page.getByRole('complementary', { name: 'claude-sonnet-4-5' })).toHaveCount(0)
  await search(page, 'no-such-model')
  await page.getByRole('button').filter({ hasText: 'Clear search' }).click()
  await expect(page.getByRole('button', { name: 'Show claude-sonnet-4-5' })).toBeVisible()
})

test('a model sold by the piece says its price in the place of three', async ({ page, root }) => {
  await makeChannel(root, { name: uniqueName('track'), models: 'whisper-1' })
  await page.goto('/model')
  await search(page, 'whisper-1')
  const cell = page.getByRole('cell', { name: '$0.0001 per second' })
  await expect(cell).toHaveAttribute('colspan', '3')
})

test('a channel keeps its tags, proxy, headers, overrides and pool', async ({ page, root }) => {
  const name = uniqueName('track')
  await makeChannel(root, { name, models: 'gpt-4.1' })
  const { id = 0 } = (await root.call(channelsApi.search, { keyword: name })).list[0] ?? {}
  await page.goto(`/channel/edit/${id}`)
  await page.getByLabel('Headers').fill('{"x-team": "blue"}')
  await page.getByLabel('Body overrides').fill('{"set": {"model": "x"}}')
  await page.getByRole('checkbox', { name: /^Pool/ }).check()
  await page.getByLabel(/^Keys, one a line/).fill('one\ntwo')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('overrides must not touch model')).toBeVisible()
  await page.getByLabel('Body overrides').fill('{"set": {"temperature": 0}}')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'success', 'Channel updated')
  expect(await root.call(channelsApi.get, { id })).toMatchObject({
    headers: '{"x-team": "blue"}',
    overrides: '{"set": {"temperature": 0}}',
    pool: true,
    keys: [{ resting_until: 0 }, { resting_until: 0 }],
  })
})

test('of the channels there were at a request the one asked first stands first', async ({ page, root, server }) => {
  const { name } = await makeChannel(root, { models: 'gpt-4.1-nano', priority: 1 })
  const upstream = await startUpstream(root, ['gpt-4.1-nano'])
  const spender = await makeSpender(root, server.url)
  await chat(spender, server.url, 'gpt-4.1-nano')
  await page.goto(`/log?username=${spender.user.username}&type=2`)
  await page.getByRole('button', { name: /^Details of the row/ }).click()
  const channels = page.getByRole('region', { name: 'Channels there were' }).getByRole('listitem')
  await expect(channels.first()).toContainText(upstream.name)
  await expect(channels.last()).toContainText(name)
  await upstream.stop()
})
