import { expect } from '@playwright/test'
import { expectAccessible, expectReadable } from './support/axe.ts'
import { hold } from './support/held.ts'
import { chat, makeSpender, startUpstream } from './support/relay.ts'
import { desktop, phone, test } from './support/site.ts'

test('the log is followed as it is written, stands still while a row is read, and goes on', async ({
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
    await page.goto('/log?type=2')
    const rows = page.getByRole('table', { name: 'Log' }).locator('tbody tr')
    await expect(rows).toHaveCount(1)
    await page.getByRole('button', { name: 'Live' }).click()
    await chat(spender, server.url, 'gpt-4o')
    await expect(rows).toHaveCount(2)
    await page
      .getByRole('button', { name: /^Details of the row/ })
      .first()
      .click()
    await expect(page.getByRole('button', { name: 'Paused' })).toBeVisible()
    await chat(spender, server.url, 'gpt-4o')
    await expect(page.getByRole('button', { name: '1 new rows, show them' })).toBeVisible()
    await expect(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Paused' }).click()
    await expect(rows).toHaveCount(3)
    await expect(page.getByRole('complementary', { name: 'The row in detail' })).toBeHidden()
  } finally {
    await upstream.stop()
  }
})

test('a request is shown as running until it ends, and its row takes its place', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  test.slow()
  const upstream = await startUpstream(root, ['gpt-4o'])
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  try {
    const spender = await makeSpender(root, server.url)
    upstream.provider.wait = gate
    const asked = chat(spender, server.url, 'gpt-4o')
    await enterAs(root)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`/log?type=2&username=${spender.user.username}`)
    await page.getByRole('button', { name: 'Live' }).click()
    const running = page.getByText(/^running, \d+\.\d s$/)
    await expect(running).toHaveCount(1)
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await expect(running).toBeVisible()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expectReadable(page)
    await page.setViewportSize(desktop)
    open()
    await asked
    await expect(running).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Details of the row/ })).toHaveCount(1)
  } finally {
    open()
    await upstream.stop()
  }
})

test('a filter is kept under a name and forgotten again', async ({ page, root, server, enterAs }) => {
  const spender = await makeSpender(root, server.url)
  await enterAs(spender)
  await page.goto('/log?token_name=nightly')
  await page.getByRole('button', { name: 'Save filter' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nightly runs')
  await page.keyboard.press('Enter')
  const tabs = page.getByRole('navigation', { name: 'Filters' })
  await expect(tabs.getByRole('link', { name: 'Nightly runs' })).toHaveAttribute('aria-current', 'page')
  await page.reload()
  await tabs.getByRole('link', { name: 'All', exact: true }).click()
  await tabs.getByRole('link', { name: 'Nightly runs' }).click()
  await expect(page).toHaveURL(/token_name=nightly/)
  await tabs.getByRole('button', { name: 'Forget this filter' }).click()
  await expect(tabs.getByRole('link', { name: 'Nightly runs' })).toHaveCount(0)
})

test('the panel covers the list where there is little room and leads back', async ({ page, root, server, enterAs }) => {
  const upstream = await startUpstream(root, ['gpt-4o'])
  try {
    const spender = await makeSpender(root, server.url)
    await chat(spender, server.url, 'gpt-4o')
    await enterAs(spender)
    await page.setViewportSize(phone)
    await page.goto('/log?type=2')
    await page.getByRole('button', { name: /^Details of the row/ }).click()
    const panel = page.getByRole('complementary', { name: 'The row in detail' })
    await expect(panel.getByText('Charged')).toBeVisible()
    await panel.getByRole('button', { name: 'Back to the list' }).click()
    await expect(panel).toBeHidden()
    await page.setViewportSize(desktop)
  } finally {
    await upstream.stop()
  }
})

test('rows of before a change of the filter do not stay, and "Now" asks once however often it is pressed', async ({
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
    await page.goto('/log?type=2')
    const rows = page.getByRole('table', { name: 'Log' }).locator('tbody tr')
    await expect(rows).toHaveCount(1)
    await page.getByRole('button', { name: 'Live' }).click()
    await chat(spender, server.url, 'gpt-4o')
    await expect(rows).toHaveCount(2)
    const running = ({ pathname }: URL) => pathname === '/api/log/self/running'
    await page.route(running, (route) => route.fulfill({ status: 500, json: { success: false, message: 'down' } }))
    await page.getByLabel('Model name').fill('gpt-4o-mini')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Nothing in the log matches these filters.')).toBeVisible()
    const now = page.getByRole('button', { name: 'Now', exact: true })
    await expect(now).toBeVisible()
    await page.unroute(running)
    const release = await hold(page, /log\/self\/running/)
    let asked = 0
    page.on('request', (request) => {
      if (running(new URL(request.url()))) asked += 1
    })
    await now.dblclick()
    release()
    await expect(now).toHaveCount(0)
    expect(asked).toBe(1)
  } finally {
    await upstream.stop()
  }
})
