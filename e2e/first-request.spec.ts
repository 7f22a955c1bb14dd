import { readFileSync } from 'node:fs'
import { test as base, expect } from '@playwright/test'
import { rowOf } from './support/lists.ts'
import { startProvider } from './support/provider-double.ts'
import { type RunningServer, startServer } from './support/running-server.ts'

/** A server nobody has touched, and a provider to connect. */
const test = base.extend<{ fresh: RunningServer; providerUrl: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from the pattern
  fresh: async ({}, use) => {
    const server = await startServer({ INITIAL_ROOT_PASSWORD: '123456' })
    await use(server)
    await server.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from the pattern
  providerUrl: async ({}, use) => {
    const provider = await startProvider()
    await use(provider.url)
    await provider.stop()
  },
})

/** The request in the README. */
const readmeBody = /-d '(\{.*\})'/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''

test('a newcomer who does what the README says gets an answer, and sees what it cost', { tag: '@smoke' }, async ({
  page,
  context,
  fresh,
  providerUrl,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(fresh.url)
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password', { exact: true }).fill('123456')
  await page.keyboard.press('Enter')

  await page.getByRole('link', { name: 'Channels' }).click()
  await page.getByRole('link', { name: 'Add channel' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('my-openai')
  await page.getByRole('textbox', { name: 'Key' }).fill('a-key-of-mine')
  await page.getByLabel('Base URL').fill(providerUrl)
  await page.getByRole('button', { name: "Fill with this type's models" }).click()
  await page.getByRole('button', { name: 'Create channel' }).click()
  await rowOf(page, 'my-openai').getByText('Test', { exact: true }).click()
  await expect(rowOf(page, 'my-openai')).toContainText(/\d\.\d\d s/)

  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('link', { name: 'Add token' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('first')
  await page.getByLabel('Unlimited quota').click()
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog', { name: 'Connect with first' }).getByRole('button', { name: 'Close' }).click()
  await rowOf(page, 'first').getByText('Copy', { exact: true }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('sk-')
  const key = await page.evaluate(() => navigator.clipboard.readText())

  const answer = await fetch(`${fresh.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: readmeBody,
  })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('hello')

  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(rowOf(page, 'gpt-4o-mini')).toContainText('model ratio 0.075')
})
