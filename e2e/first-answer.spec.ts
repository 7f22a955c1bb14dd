import { expect } from '@playwright/test'
import { pressOn, tabTo, writeInto } from './support/keys.ts'
import { startProvider } from './support/provider-double.ts'
import { rootPassword, startServer } from './support/running-server.ts'
import { test } from './support/test.ts'

const twoMinutes = 120_000

test('from the first start to a first answer in two minutes, in the browser and by keyboard alone', async ({
  browser,
}) => {
  test.slow()
  const provider = await startProvider()
  const server = await startServer()
  const page = await browser.newPage({ baseURL: server.url })
  try {
    const began = Date.now()
    await page.goto('/login')
    await writeInto(page, page.getByLabel('Username or email'), 'root')
    await page.keyboard.press('Tab')
    await page.keyboard.type(rootPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    const steps = page.getByRole('region', { name: 'First steps' })
    await pressOn(page, steps.getByRole('button', { name: 'Add a channel' }))
    await writeInto(page, steps.getByRole('textbox', { name: /^Key/ }), 'sk-in-hand')
    await writeInto(page, steps.getByLabel('Base URL'), provider.url)
    await page.keyboard.press('Enter')
    await expect(steps.getByRole('button', { name: 'Create token' })).toBeVisible()
    await pressOn(page, steps.getByRole('button', { name: 'Create token' }))
    await pressOn(page, steps.getByRole('link', { name: 'Open the playground' }))
    await tabTo(page, page.getByRole('textbox', { name: 'Message' }))
    await page.keyboard.type('Hello')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(/in, \d+ out/)).toBeVisible()
    expect(Date.now() - began).toBeLessThan(twoMinutes)
  } finally {
    await page.close()
    await server.stop()
    await provider.stop()
  }
})
