import { expect } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { holdScripts } from './support/held.ts'
import { makeChannel, makeToken } from './support/make.ts'
import { phone, test } from './support/site.ts'

test('the palette finds pages, tokens and channels by name, and goes there by keyboard', async ({
  page,
  root,
  enterAs,
}) => {
  await makeChannel(root, { name: 'anthropic-direct' })
  await makeToken(root, { name: 'anthro-ci' })
  await enterAs(root)
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  await expect(field).toBeFocused()
  await field.fill('anth')
  await expect(page.getByRole('option', { name: /^anthropic-direct/ })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Test anthropic-direct Tab T' })).toBeVisible()
  await expect(page.getByRole('option', { name: /anthro-ci/ })).toBeVisible()
  await field.fill('anthropic')
  await expect(page.getByRole('option', { name: /anthro-ci/ })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/channel\/edit\/\d+$/)
  await page.keyboard.press('Control+k')
  await field.fill('no such thing')
  await expect(page.getByRole('group', { name: 'No result for “no such thing”' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
})

test('Tab lists what a thing can do, a letter does it, and Escape leads back', async ({ page, root, enterAs }) => {
  await makeChannel(root, { name: 'switchable' })
  await enterAs(root)
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  await field.fill('switchable')
  await expect(page.getByRole('option', { name: /^switchable enabled/ })).toBeVisible()
  await page.keyboard.press('Tab')
  const actions = page.getByRole('group', { name: 'switchable' })
  await expect(actions.getByRole('option')).toHaveText([
    'Test switchableT',
    'Disable switchableasks firstD',
    'Edit switchableE',
    'Requests through switchableL',
    'Changes of switchableH',
  ])
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('switchable')
  await expect(actions).toHaveCount(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('d')
  await expect(page.getByRole('option', { name: 'Yes, disable switchable' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('switchable')
  await page.keyboard.press('Tab')
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Operation completed')).toBeVisible()
  expect((await root.call(channelsApi.search, { keyword: 'switchable' })).list[0]?.status).toBe(2)
})

test('without words it lists the pages visited last, also after a reload, then what can be done here', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/token')
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await page.goto('/log')
  await expect(page.getByRole('heading', { name: 'Log' })).toBeVisible()
  await page.goto('/channel')
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const groups = page.getByRole('dialog').getByRole('group')
  await expect(groups).toHaveCount(2)
  await expect(groups.first().getByRole('option')).toHaveText([/^Log/, /^Tokens/])
  await expect(page.getByRole('group', { name: 'On this page' }).getByRole('option')).toHaveText([
    'Add channel',
    'Search on this page/',
  ])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('search').getByRole('textbox')).toBeFocused()
})

test('on the page of a thing it lists what can be done with it', async ({ page, root, enterAs }) => {
  const { name } = await makeToken(root)
  const id = (await root.call(tokensApi.search, { keyword: name })).list[0]?.id
  await enterAs(root)
  await page.goto(`/token/edit/${id}`)
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'On this page' }).getByRole('option')).toHaveText([
    `Playground with ${name}`,
    `Requests of ${name}`,
  ])
})

test('it finds numbers, the last four of a key and requests, ten things at most, or searches the log', async ({
  page,
  root,
  enterAs,
}) => {
  const { name } = await makeToken(root)
  const [token] = (await root.call(tokensApi.search, { keyword: name })).list
  await enterAs(root)
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  const options = page.getByRole('dialog').getByRole('option')
  for (const words of [String(token?.id), token?.key.slice(-4) ?? '', `sk-${token?.key}`]) {
    await field.fill(words)
    await expect(options.filter({ hasText: name }).first(), words).toBeVisible()
  }
  await field.fill('0193a2c4-7f0e-7cc2-9d41-1b6f0e2f9a10')
  await expect(options.filter({ hasText: 'Request 0193a2c4' })).toBeVisible()
  for (const words of ['a', 'e', 'o']) {
    await field.fill(words)
    await expect(options.first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await options.count()).toBeLessThanOrEqual(10)
  }
  await field.fill('no such thing')
  await expect(page.getByRole('group', { name: 'No result for “no such thing”' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/log\?token_name=no%20such%20thing|\/log\?token_name=no\+such\+thing/)
})

test('an ordinary user is offered nothing of the administrators', async ({ page, root, member, enterAs }) => {
  await makeChannel(root, { name: 'hidden-from-members' })
  const refused: string[] = []
  page.on('response', (response) => response.status() === 403 && refused.push(response.url()))
  await enterAs(member)
  await page.goto('/about')
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await page.getByRole('combobox').fill('hidden')
  await expect(page.getByRole('group', { name: /^No result/ })).toBeVisible()
  await page.getByRole('combobox').fill('ad')
  await expect(page.getByRole('option', { name: 'Add token' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Add channel' })).toHaveCount(0)
  expect(refused).toEqual([])
})

test('letters go to pages, but not while one types; they can be turned off', async ({ page, member, enterAs }) => {
  await enterAs(member)
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/\/token$/)
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('search').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('gl')
  await expect(page).toHaveURL(/\/token$/)
  await page.getByRole('heading', { name: 'Tokens' }).click()
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: 'Single letters are shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/\/token$/)
})

test('a visitor has no palette, and a phone has its glass', async ({ page, member, enterAs }) => {
  await page.goto('/about')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toHaveCount(0)
  await enterAs(member)
  await page.setViewportSize(phone)
  await page.goto('/about')
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await expect(page.getByRole('combobox')).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

test('what is typed before the palette is there stands in it, also letters that are keys of the console', async ({
  page,
  root,
  enterAs,
}) => {
  const release = await holdScripts(page, 'palette')
  await enterAs(root)
  await page.goto('/token')
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('gp')
  release()
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  await expect(field).toBeFocused()
  await page.keyboard.type('t-4')
  await expect(field).toHaveValue('gpt-4')
  await expect(page).toHaveURL(/\/token$/)
  await field.evaluate((element) => element.blur())
  await page.keyboard.type('x')
  await expect(field).toHaveValue('gpt-4')
  await field.focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(field).toHaveValue('')
})
