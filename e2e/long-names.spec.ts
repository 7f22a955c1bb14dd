import { expect, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { makeChannel, makeToken } from './support/make.ts'
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
  for (const shown of ['500.0k of 500.0k', /^\d{4}-\d\d-\d\d \d\d:\d\d$/]) {
    const isCut = await page.getByText(shown).evaluate((element) => {
      const cell = element.closest('td') ?? element
      return element.scrollWidth > element.clientWidth || cell.scrollWidth > cell.clientWidth
    })
    expect(isCut, String(shown)).toBe(false)
  }
})
