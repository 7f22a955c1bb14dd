import { expect } from '@playwright/test'
import { tokensApi } from '#shared/api/tokens.ts'
import { expectAccessible, expectNoSideways } from './support/axe.ts'
import { makeToken } from './support/make.ts'
import { startUpstream } from './support/relay.ts'
import { phone, test as site } from './support/site.ts'

/** Models that answer, and a token to ask them with. */
const test = site.extend<{ models: readonly string[] }>({
  models: async ({ root }, use) => {
    const models = ['gpt-4o-mini', 'gpt-4o']
    const upstream = await startUpstream(root, models)
    await makeToken(root, { unlimited_quota: true })
    await use(models)
    await upstream.stop()
  },
})

test('two models answer side by side, with what it took and cost; the address keeps the set-up and no key', {
  tag: '@smoke',
}, async ({ page, root, enterAs, models }) => {
  await enterAs(root)
  await page.goto('/playground?model=gpt-4o-mini&system=Be+brief')
  await expect(page.getByLabel('System prompt')).toHaveValue('Be brief')
  await page.getByRole('button', { name: 'Add model' }).click()
  await expect(page).toHaveURL(/model=gpt-4o-mini&model=/)
  await page.goto('/playground?model=gpt-4o-mini&model=gpt-4o&system=Be+brief')
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Control+Enter')
  for (const model of models) {
    const column = page.getByRole('region', { name: model, exact: true })
    await expect(column.getByText(/\d+\.\d\d s/)).toBeVisible()
    await expect(column.getByText(/in, \d+ out/)).toBeVisible()
    await expect(column.locator('dl')).toContainText(/Cost\s*\$0\.0/)
  }
  expect(page.url()).not.toContain('sk-')
  await page.getByRole('button', { name: 'View code' }).click()
  const code = page.getByRole('region', { name: 'curl' })
  await expect(code).toContainText('"model": "gpt-4o-mini"')
  await expect(code).toContainText('Be brief')
  await expect(code).toContainText('••••')
})

test('one column that fails leaves the other, and says why in the words of the relay', async ({
  page,
  root,
  enterAs,
  models,
}) => {
  await enterAs(root)
  await page.goto(`/playground?model=${models[0]}&model=no-such-model`)
  await page.getByLabel('Message').fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('region', { name: 'no-such-model' }).getByRole('alert')).toContainText('no-such-model')
  await expect(page.getByRole('region', { name: 'gpt-4o-mini' }).getByText(/in, \d+ out/)).toBeVisible()
})

test('without a token it says where to get one; a phone does not scroll sideways', async ({
  page,
  member,
  enterAs,
}) => {
  await enterAs(member)
  await page.setViewportSize(phone)
  await page.goto('/playground')
  await expect(page.getByRole('link', { name: 'Add token' })).toHaveAttribute('href', '/token/add')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

test('on a phone one column shows at a time, its tab says what it cost, and the parameters are a sheet', async ({
  page,
  root,
  enterAs,
  models,
}) => {
  await enterAs(root)
  await page.setViewportSize(phone)
  await page.goto('/playground?model=gpt-4o-mini&model=gpt-4o')
  await page.getByRole('button', { name: 'Parameters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Parameters' })
  await sheet.getByLabel('System prompt').fill('Be brief')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Parameters' })).toBeFocused()
  await expect(page).toHaveURL(/system=Be\+brief/)
  await page.getByLabel('Message').fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  for (const model of models)
    await expect(page.getByRole('tab', { name: new RegExp(`^${model} ?\\$0\\.0`) })).toBeVisible()
  await expect(page.getByRole('tabpanel')).toHaveCount(1)
  await page.getByRole('tab', { name: /^gpt-4o-mini/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { selected: true })).toBeFocused()
  await expect(page.getByRole('tabpanel').getByLabel('Model 2')).toHaveValue('gpt-4o')
  await expectAccessible(page)
  await expectNoSideways(page)
})

test('one column is asked differently, and the address keeps it', async ({ page, root, enterAs, models }) => {
  await enterAs(root)
  await page.goto(`/playground?model=${models.join('&model=')}&temperature=0.7`)
  const parameters = page.getByRole('complementary', { name: 'Parameters' })
  await expect(parameters.getByRole('heading', { name: 'For all 2' })).toBeVisible()
  await parameters.getByRole('button', { name: 'Different for one column' }).click()
  await expect(parameters.getByLabel('For which column')).toHaveValue('gpt-4o')
  await parameters.getByLabel('Temperature').fill('0')
  await expect(page).toHaveURL(/own=/)
  await page.reload()
  await expect(parameters.getByLabel('Temperature')).toHaveValue('0.7')
  const asked: Record<string, number> = {}
  page.on('request', (request) => {
    if (!request.url().endsWith('/v1/chat/completions')) return
    const { model, temperature } = request.postDataJSON()
    asked[model] = temperature
  })
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'gpt-4o', exact: true }).locator('dl')).toContainText(/Cost\s*\$0\.0/)
  expect(asked).toEqual({ 'gpt-4o-mini': 0.7, 'gpt-4o': 0 })
  await parameters.getByLabel('For which column').selectOption('gpt-4o')
  await parameters.getByRole('button', { name: 'The same as for all' }).click()
  await expect(page).not.toHaveURL(/own=/)
})

test('clearing a conversation ends the request that still runs', async ({ page, root, enterAs }) => {
  // One that no other test uses: its requests come to this upstream alone.
  const model = 'gpt-4-turbo'
  const upstream = await startUpstream(root, [model])
  let open = () => {}
  upstream.provider.wait = new Promise((resolve) => {
    open = resolve
  })
  try {
    await root.call(tokensApi.create, { name: 'play', unlimited_quota: true })
    await enterAs(root)
    await page.goto(`/playground?model=${model}`)
    await page.getByLabel('Message').fill('Hello')
    const asked = page.waitForRequest(/chat\/completions/)
    await page.getByRole('button', { name: 'Send' }).click()
    const request = await asked
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => request.failure()?.errorText).toBe('net::ERR_ABORTED')
  } finally {
    open()
    await upstream.stop()
  }
})
