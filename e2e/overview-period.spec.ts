import { expect, type Page } from '@playwright/test'
import { optionsApi } from '#shared/api/options.ts'
import { choose, expectAccessible, expectNoSideways, expectReadable, themes } from './support/axe.ts'
import { makeTraffic } from './support/relay.ts'
import { desktop, phone, test } from './support/site.ts'

const openCustom = async (page: Page, name = 'Custom') => {
  await page.getByRole('button', { name, exact: true }).click()
  return page.getByRole('dialog', { name, exact: true })
}

test('a period of one’s own is typed or picked, and stays open until both ends stand', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  test.slow()
  await makeTraffic(root, server.url)
  await enterAs(root)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/?period=custom&from=1793491200&to=1793577600')
  let box = await openCustom(page)
  const from = box.getByLabel('From', { exact: true })
  const to = box.getByLabel('To', { exact: true })
  await expect(from).toBeFocused()
  await from.fill('2026-11-31')
  await page.keyboard.press('Enter')
  await expect(box).toBeVisible()
  await expect(from).toHaveAttribute('aria-invalid', 'true')
  await from.fill('2026-11-02')
  await to.fill('2026-11-12')
  await page.keyboard.press('Enter')
  await expect(box).toBeHidden()
  await expect(page).toHaveURL(/period=custom&from=\d+&to=\d+/)
  await expect(page.getByText(/2 – 12 Nov 2026|2–12 Nov 2026/).first()).toBeVisible()

  box = await openCustom(page)
  await expect(box.getByText('November 2026')).toBeVisible()
  await expectAccessible(page)
  await box.getByRole('button', { name: '9 November 2026', exact: true }).click()
  await expect(to).toHaveValue('')
  await expect(box).toBeVisible()
  await box.getByRole('button', { name: '11 November 2026', exact: true }).click()
  await expect(box).toBeHidden()
  await expect(page.getByText(/9 – 11 Nov 2026|9–11 Nov 2026/).first()).toBeVisible()

  box = await openCustom(page)
  await box.getByRole('button', { name: 'Last month' }).click()
  await expect(box).toBeHidden()
  await expect(page.getByRole('button', { name: 'Custom' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: 'Custom' })).toBeFocused()
})

for (const theme of themes) {
  test(`the calendar fits and can be read in Chinese, ${theme}`, async ({ page, root, server, enterAs }) => {
    await makeTraffic(root, server.url)
    await choose(page, { theme, language: 'zh' })
    await enterAs(root)
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/')
      await expect(await openCustom(page, '自定义')).toBeVisible()
      await expect(page.getByRole('button', { name: '上月' })).toBeVisible()
      await expectReadable(page)
      await expectNoSideways(page)
    }
  })
}

test('changes in History are squares on the chart, said by the keys and opened from there', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  test.slow()
  await makeTraffic(root, server.url)
  const footer = (await root.call(optionsApi.list, {})).find(({ key }) => key === 'Footer')?.value ?? ''
  await root.call(optionsApi.update, { key: 'Footer', value: 'changed for a moment' })
  await root.call(optionsApi.update, { key: 'Footer', value: footer })
  await enterAs(root)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/?period=24h')
  const chart = page.getByRole('slider', { name: 'Revenue by model' })
  await expect(chart.locator('rect[class*="change"]').first()).toBeAttached()
  await chart.focus()
  await page.keyboard.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', /Changes in History: \d+/)
  await expectAccessible(page)
  await page.keyboard.press('Shift+Enter')
  await expect(page).toHaveURL(/\/history\?from=\d+&to=\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('History')

  await page.goto('/?period=24h&measure=failed&compare=1')
  const lines = page.getByRole('slider', { name: 'Failed by model' })
  await lines.focus()
  await page.keyboard.press('End')
  await expect(lines).toHaveAttribute('aria-valuetext', /: All \d+\.\d\d %/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page.getByRole('rowheader', { name: /so far$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
})

test('the first byte is lines, of each model or of everything with both times, and the same as a table', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  test.slow()
  await makeTraffic(root, server.url)
  await enterAs(root)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/?period=24h')
  await page.getByRole('combobox', { name: 'What is shown' }).selectOption('First byte, p95')
  const lines = page.getByRole('slider', { name: 'First byte, p95 by model' })
  await lines.focus()
  await page.keyboard.press('End')
  await expect(lines).toHaveAttribute('aria-valuetext', /: All (–|\d+\.\d\d s), /)
  await page.getByRole('combobox', { name: 'by' }).selectOption('everything')
  const both = page.getByRole('slider', { name: 'First byte, p95', exact: true })
  await both.focus()
  await page.keyboard.press('Home')
  await expect(both).toHaveAttribute('aria-valuetext', /: Requests \d+, p50 .+, p95 .+/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'p95' })).toBeVisible()
  await expect(page.getByRole('cell', { name: /^\d+\.\d\d s$/ }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
})

/** Words under the chart that lie on each other. */
const crowded = (page: Page): Promise<string[]> =>
  page.getByRole('slider').evaluate((chart) => {
    const words = [...chart.querySelectorAll('svg text[text-anchor]')]
      .map((text) => ({ word: text.textContent, ...text.getBoundingClientRect().toJSON() }))
      .filter(({ y }, _, all) => y === Math.max(...all.map((each) => each.y)))
      .sort((one, two) => one.left - two.left)
    return words.flatMap(({ word, right }, at) => {
      const next = words[at + 1]
      return next && next.left < right ? [`${word} ${next.word}`] : []
    })
  })

test('on a phone the words under the chart stand clear of each other', async ({ page, root, server, enterAs }) => {
  await makeTraffic(root, server.url)
  await page.setViewportSize(phone)
  await enterAs(root)
  const now = Math.floor(Date.now() / 1000)
  const year = `custom&from=${now - 360 * 86_400}&to=${now}`
  for (const period of ['24h', '7d', '30d', '90d', year]) {
    await page.goto(`/?period=${period}`)
    await expect(page.getByRole('slider').locator('svg text').first()).toBeVisible()
    expect(await crowded(page), period).toEqual([])
  }
})
