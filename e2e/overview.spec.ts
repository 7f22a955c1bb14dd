import { expect } from '@playwright/test'
import { expectAccessible, expectReadable } from './support/axe.ts'
import { hold } from './support/held.ts'
import { makeChannel } from './support/make.ts'
import { chat, makeSpender, startUpstream } from './support/relay.ts'
import { desktop, phone, test } from './support/site.ts'

test('administrators land on revenue and profit, filter by a click and read the same as a table', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  test.slow()
  const upstream = await startUpstream(root, ['gpt-4o', 'gpt-4o-mini'])
  const quiet = await makeChannel(root, { models: 'gpt-4.1' })
  try {
    const spender = await makeSpender(root, server.url)
    for (const model of ['gpt-4o', 'gpt-4o-mini', 'gpt-4o']) await chat(spender, server.url, model)
    await enterAs(root)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // What other tests asked for stays out of the lists.
    await page.goto(`/?period=24h&username=${spender.user.username}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
    await expect(page.getByText('Profit').first()).toBeVisible()
    const chart = page.getByRole('slider', { name: 'Revenue by model' })
    await chart.focus()
    await page.keyboard.press('Home')
    await expect(chart).toHaveAttribute('aria-valuenow', '0')
    await page
      .getByRole('region', { name: 'By model', exact: true })
      .getByRole('button', { name: 'gpt-4o-mini' })
      .click()
    await expect(page).toHaveURL(/model_name=gpt-4o-mini/)
    await page.getByRole('button', { name: 'Remove the filter Model gpt-4o-mini' }).click()
    await expect(page).not.toHaveURL(/model_name/)
    const showValues = await hold(page, /usage\/table\?.*pagesize=100/)
    await page.getByRole('button', { name: 'Add filter' }).click()
    const box = page.getByRole('dialog', { name: 'Add filter' })
    await box.getByRole('combobox', { name: 'How' }).selectOption('is not')
    await box.getByRole('textbox', { name: 'Value' }).fill('4o-mini')
    await page.keyboard.press('Enter')
    showValues()
    await expect(page).toHaveURL(/model_name=%21gpt-4o-mini/)
    await expect(page.getByText('left out by the filter')).toBeVisible()
    await page.getByRole('button', { name: 'Remove the filter Model gpt-4o-mini' }).click()
    await expect(page.getByRole('link', { name: 'Open the log' })).toHaveAttribute(
      'href',
      new RegExp(`username=${spender.user.username}`),
    )
    const payers = page.getByRole('region', { name: 'By user or team' })
    await expect(payers.getByRole('button', { name: spender.user.username })).toBeVisible()
    await expect(
      page.getByRole('region', { name: 'By group' }).getByRole('row', { name: /default × 1\.00/ }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await expect(page.getByRole('columnheader', { name: 'gpt-4o', exact: true })).toBeVisible()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Revenue by model.csv')
    await page.getByRole('button', { name: 'Chart' }).click()
    const health = page.getByRole('region', { name: 'Channels: health and profit' })
    await expect(health.getByRole('row', { name: upstream.name }).getByRole('cell').nth(4)).toHaveText('3')
    await expect(health.getByRole('row', { name: quiet.name }).getByRole('cell').nth(4)).toHaveText('–')
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await expectReadable(page)
    }
    const release = await hold(page, /\/api\/usage\/summary/)
    await page.reload()
    const waiting = await page.getByRole('status', { name: 'Period' }).boundingBox()
    release()
    const figures = page.getByRole('main').locator('dl').first()
    await expect(figures).toContainText('Profit')
    const shown = await figures.boundingBox()
    expect(Math.abs((shown?.height ?? 0) - (waiting?.height ?? 0)), 'the page jumps').toBeLessThan(40)
  } finally {
    await upstream.stop()
  }
})

test('users land on their balance and their month, see no cost, and print a statement', { tag: '@smoke' }, async ({
  page,
  root,
  server,
  enterAs,
}) => {
  test.slow()
  const upstream = await startUpstream(root, ['gpt-4o'])
  try {
    const spender = await makeSpender(root, server.url)
    await chat(spender, server.url, 'gpt-4o')
    await enterAs(spender)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
    await expect(page.getByText('Spent this month')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Latest requests' }).getByText('gpt-4o').first()).toBeVisible()
    await expect(page.getByText('Profit')).toHaveCount(0)
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await expectAccessible(page)
    }
    await page.setViewportSize(desktop)
    await page.getByRole('link', { name: 'Statement' }).click()
    await expect(page.getByText('Closing balance')).toBeVisible()
    const cell = page.getByRole('cell', { name: 'gpt-4o' })
    await expect(cell).toBeVisible()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(cell).toHaveCSS('color', 'rgb(235, 233, 230)')
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect(cell).toHaveCSS('color', 'rgb(27, 26, 24)')
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect(cell).toHaveCSS('color', 'rgb(235, 233, 230)')
    await page.evaluate(() => localStorage.setItem('language', 'zh'))
    await page.setViewportSize(phone)
    await page.goto('/')
    const lines = page.getByRole('button', { name: '24 小时' }).evaluate((button) => {
      const range = document.createRange()
      range.selectNodeContents(button)
      return range.getClientRects().length
    })
    expect(await lines).toBe(1)
  } finally {
    await upstream.stop()
  }
})
