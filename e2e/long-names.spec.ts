import { expect, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { usersApi } from '#shared/api/users.ts'
import { expectNoSideways } from './support/axe.ts'
import { makeChannel, makeToken, makeUser, uniqueName } from './support/make.ts'
import { chat, makeSpender, startUpstream } from './support/relay.ts'
import { phone, test } from './support/site.ts'

const longName = 'vendor/a-model-family-with-a-long-name-and-its-date-2026-11-18-preview'

const tooWide = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('on a phone a long name in a chip is cut, with the whole of it in its title', async ({ page, root, enterAs }) => {
  await page.setViewportSize(phone)
  await enterAs(root)
  await page.goto(`/log?model_name=${encodeURIComponent(longName)}`)
  await expect(page.getByTitle(longName)).toBeVisible()
  expect(await tooWide(page)).toBe(0)
})

test('on a phone long models stay within the channel form', async ({ page, root, enterAs }) => {
  const { name } = await makeChannel(root, { models: longName })
  const { list } = await root.call(channelsApi.search, { keyword: name })
  await page.setViewportSize(phone)
  await enterAs(root)
  await page.goto(`/channel/edit/${list[0]?.id}`)
  await expect(page.getByText(longName).first()).toBeVisible()
  expect(await tooWide(page)).toBe(0)
})

test('what is left of a token is read whole in the list, with its expiry', async ({ page, member, enterAs }) => {
  const soon = Math.floor(Date.now() / 1000) + 3600
  await makeToken(member, { name: 'short', remain_quota: 500_000, expired_time: soon })
  await enterAs(member)
  await page.goto('/token')
  for (const shown of ['of $1.00', /^\d{4}-\d\d-\d\d \d\d:\d\d$/]) {
    const isCut = await page.getByText(shown).evaluate((element) => {
      const cell = element.closest('td') ?? element
      return element.scrollWidth > element.clientWidth || cell.scrollWidth > cell.clientWidth
    })
    expect(isCut, String(shown)).toBe(false)
  }
})

test('on a phone a long token leaves the time of its row in the log alone', async ({ page, root, server, enterAs }) => {
  const upstream = await startUpstream(root, ['gpt-4o'])
  const spender = await makeSpender(root, server.url)
  await chat(spender, server.url, 'gpt-4o', 'the-token-of-the-nightly-batch')
  await upstream.stop()
  await page.setViewportSize(phone)
  await enterAs(spender)
  await page.goto('/log?type=2')
  const time = page.getByRole('listitem').getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  await expect(time).toBeVisible()
  expect(await time.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('what a token has used is read whole where it is below a cent', async ({
  page,
  root,
  server,
  setOptions,
  enterAs,
}) => {
  await setOptions({
    DisplayInCurrencyEnabled: 'true',
    ModelRatio: '{"gpt-4o":171.5}',
    CompletionRatio: '{"gpt-4o":1}',
  })
  const upstream = await startUpstream(root, ['gpt-4o'])
  const spender = await makeSpender(root, server.url)
  const soon = Math.floor(Date.now() / 1000) + 3600
  await makeToken(spender, { name: 'a-name-as-long-as-they-come', expired_time: soon })
  await chat(spender, server.url, 'gpt-4o')
  await upstream.stop()
  await enterAs(spender)
  await page.goto('/token')
  const cell = page.locator('td[data-column="used"]').filter({ hasText: '343' })
  await expect(cell).toHaveText('$0.000686 343 quota')
  await page.evaluate(() => document.fonts.ready)
  expect(await cell.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('on a phone an amount of the statement stands on one line', async ({
  page,
  root,
  server,
  setOptions,
  enterAs,
}) => {
  await setOptions({ DisplayInCurrencyEnabled: 'true' })
  const upstream = await startUpstream(root, ['claude-sonnet-4-5'])
  const spender = await makeSpender(root, server.url)
  await chat(spender, server.url, 'claude-sonnet-4-5', 'extraordinarily-long-name-here')
  await upstream.stop()
  await page.setViewportSize(phone)
  await enterAs(spender)
  await page.goto('/statement')
  const amount = page.getByRole('cell', { name: /^\$0\.0/ })
  await expect(amount).toHaveText('$0.000018')
  const lines = await amount.evaluate((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
  expect(await tooWide(page)).toBe(0)
})

test('on a phone many groups leave the facts beside them whole', async ({ page, root, setOptions, enterAs }) => {
  const groups = ['vip', 'svip', 'premium', 'internal', 'a-group-with-a-very-long-name-12']
  await setOptions({ GroupRatio: JSON.stringify(Object.fromEntries(['default', ...groups].map((name) => [name, 1]))) })
  const { name } = await makeChannel(root, { group: groups.join(','), priority: 7 })
  const { username } = await makeUser(root)
  const { list } = await root.call(usersApi.search, { keyword: username })
  await root.call(usersApi.update, { id: list[0]?.id ?? 0, group: [...groups].reverse().join(','), quota: 123_456_789 })
  await page.setViewportSize(phone)
  await enterAs(root)
  for (const [path, facts] of [
    [`/channel?q=${name}`, ['OpenAI', 'Priority 7']],
    [`/user?q=${username}`, [/remaining$/]],
  ] as const) {
    await page.goto(path)
    const row = page.getByRole('main').getByRole('listitem')
    for (const fact of facts) {
      const hidden = await row
        .getByText(fact)
        .first()
        .evaluate((element) => {
          const part = element.closest('[class*="part"]') ?? element
          return Math.max(
            part.scrollWidth - part.clientWidth,
            part.getBoundingClientRect().right - (part.parentElement?.getBoundingClientRect().right ?? 0),
          )
        })
      expect(hidden, String(fact)).toBeLessThanOrEqual(0)
    }
    expect(await tooWide(page)).toBe(0)
  }
})

for (const width of [992, 1024])
  test(`at ${width} pixels the screens of routing and prices keep to their width, and names are read`, async ({
    page,
    root,
    server,
    enterAs,
  }) => {
    const name = uniqueName('a-channel-')
    const upstream = await startUpstream(root, ['gpt-4o'])
    await chat(await makeSpender(root, server.url), server.url, 'gpt-4o', 'a token of the batch by night')
    await upstream.stop()
    await makeChannel(root, { name, models: 'gpt-4.1,my-own-model-without-a-price' })
    await page.setViewportSize({ width, height: 800 })
    await enterAs(root)
    for (const path of ['/routing', '/routing?model=gpt-4.1', '/routing/simulate', '/price', '/']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await expectNoSideways(page, `${path} scrolls sideways`)
    }
    for (const path of ['/routing?model=gpt-4.1', '/routing/simulate']) {
      await page.goto(path)
      const cell = page.getByRole('row').getByTitle(name)
      await expect(cell).toBeVisible()
      expect(await cell.evaluate((element) => element.scrollWidth - element.clientWidth), path).toBe(0)
    }
    await page.goto('/price?q=my-own-model')
    await expect(page.getByTitle(/refused in 24 h/).first()).toBeVisible()
    const rows = await page.locator('tbody tr').evaluateAll((all) => all.map((row) => row.clientHeight))
    expect(Math.max(...rows)).toBeLessThanOrEqual(48)
    await page.goto('/')
    const revenue = page.locator('dl dd').filter({ hasText: /^\$/ }).first()
    await expect(revenue).toBeVisible()
    expect(await revenue.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    const region = page.getByRole('region', { name: 'Channels: health and profit' })
    await expect(region.getByText(name)).toBeVisible()
    expect(await region.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  })
