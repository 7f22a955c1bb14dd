import { expect, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { modelsByChannelType } from '#shared/channel-types.ts'
import type { ApiClient } from './support/api-client.ts'
import { choose, expectAccessible, themes } from './support/axe.ts'
import { expectToast, phone } from './support/lists.ts'
import { makeChannel, uniqueName } from './support/make.ts'
import { test } from './support/test.ts'

const found = async (root: ApiClient, name: string) =>
  (await root.call(channelsApi.list, { pagesize: 100 })).list.filter((channel) => channel.name.startsWith(name))

async function chooseType(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: label, exact: true }).click()
}

const create = (page: Page) => page.getByRole('button', { name: 'Create channel' }).click()

test.beforeEach(async ({ enterAs, root }) => enterAs(root))

test('a channel is created; the slash at the end of its address goes [spec 2 channel form] [spec 5 channel base url] [spec 5 channel blank numbers] [spec 9 suggested mappings] [spec 8 toast channel created]', {
  tag: '@smoke',
}, async ({ page, root }) => {
  const name = uniqueName('made')
  await page.goto('/channel/add')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('textbox', { name: 'Key' }).fill('sk-secret')
  await page.getByLabel('Base URL').fill('https://relay.example/')
  await page.getByRole('combobox', { name: 'Models' }).fill('my-own-model')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Fill with suggested mappings' }).click()
  await page.getByLabel('Priority').fill('')
  await page.getByLabel('Weight').fill('4')
  await create(page)
  await expectToast(page, 'success', 'Channel created')
  await expect(page).toHaveURL(/\/channel$/)
  const [made] = await found(root, name)
  expect(made).toMatchObject({
    type: 1,
    base_url: 'https://relay.example',
    models: 'my-own-model',
    group: 'default',
    priority: 0,
    weight: 4,
  })
  expect(JSON.parse(made?.model_mapping ?? '')).toEqual({
    'gpt-3.5-turbo-0301': 'gpt-3.5-turbo',
    'gpt-4-0314': 'gpt-4',
    'gpt-4-32k-0314': 'gpt-4-32k',
  })
})

test('name, key and a model are required, and say so on the field [spec 5 channel name and key] [spec 5 channel models]', async ({
  page,
}) => {
  await page.goto('/channel/add')
  await create(page)
  await expect(page.getByText('please fill in channel name and channel key')).toHaveCount(2)
  await expect(page.getByText('please choose at least one model')).toBeVisible()
  await page.getByRole('button', { name: '3 fields need attention' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
})

test('a mapping that is no JSON is refused, pointing at the wrong character [spec 5 channel mapping]', async ({
  page,
}) => {
  await page.goto('/channel/add')
  await page.getByLabel('Model mapping').fill('{\n  "gpt-4": gpt-4o\n}')
  await page.getByLabel('Model mapping').blur()
  await expect(page.getByText('model mapping must be a JSON object from model name to model name')).toBeVisible()
  await expect(page.getByText('Line 2, column 12:')).toBeVisible()
  await expect(page.locator('mark')).toHaveText('g')
  await create(page)
  await expect(page).toHaveURL(/\/channel\/add$/)
})

test('the key hint depends on the type [spec 5 key hints by channel type] [spec 2 channel form key hint]', async ({
  page,
}) => {
  await page.goto('/channel/add')
  const hints = {
    'Baidu Wenxin Qianfan (ERNIE)': 'APIKey|SecretKey',
    'iFlytek Spark': 'APPID|APISecret|APIKey',
    'Knowledge base: FastGPT': 'APIKey-AppId',
    'Tencent Hunyuan': 'AppId|SecretId|SecretKey',
  }
  for (const [label, hint] of Object.entries(hints)) {
    await chooseType(page, label)
    await expect(page.getByText(`Format: ${hint}.`)).toBeVisible()
  }
})

test('the free field follows the type, unless it was changed [spec 5 channel other]', async ({ page }) => {
  await page.goto('/channel/add')
  await chooseType(page, 'Azure OpenAI')
  await expect(page.getByLabel('API version')).toHaveValue('2024-03-01-preview')
  await chooseType(page, 'iFlytek Spark')
  await expect(page.getByLabel('Model version')).toHaveValue('v2.1')
  await page.getByLabel('Model version').fill('v4.0')
  await chooseType(page, 'Google Gemini')
  await expect(page.getByLabel('API version')).toHaveValue('v4.0')
})

test('types with a meaning of their own ask for what they need [spec 9 special channel types]', async ({ page }) => {
  await page.goto('/channel/add')
  await chooseType(page, 'Custom channel')
  await expect(page.getByText('This type has no address of its own.')).toBeVisible()
  const fields = {
    'Azure OpenAI': 'API version',
    'Alibaba Tongyi Qianwen': 'Plugin parameters',
    'iFlytek Spark': 'Model version',
    'Knowledge base: AI Proxy': 'Knowledge base ID',
  }
  for (const [label, field] of Object.entries(fields)) {
    await chooseType(page, label)
    await expect(page.getByLabel(field)).toBeVisible()
  }
  await chooseType(page, 'OpenAI')
  await expect(page.getByLabel('API version')).toBeHidden()
})

test('models are filled by type or all, and cleared; those without a price are named [spec 2 channel form] [spec 4 channel model map]', async ({
  page,
}) => {
  await page.goto('/channel/add')
  await chooseType(page, 'Moonshot AI')
  const pills = page.locator('.mantine-TagsInput-pill')
  await page.getByRole('button', { name: "Fill with this type's models" }).click()
  await expect(pills).toHaveCount(modelsByChannelType['25']?.length ?? 0)
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('channel_models') ?? '{}'))
  expect(stored['25']).toEqual(modelsByChannelType['25'])
  await page.getByRole('button', { name: 'Fill with all models' }).click()
  await page.getByRole('button', { name: /^Show all \d+/ }).click()
  expect(await pills.count()).toBeGreaterThan(100)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(pills).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Models' }).fill('no-such-model')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByText('1 model has no price, requests for it are refused:')).toBeVisible()
  await page.getByRole('link', { name: 'Set a ratio' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/setting\?tab=operations#ratios$/)
  await expect(page.getByRole('heading', { name: 'Ratios', exact: true })).toBeInViewport()
})

test('several keys make several channels [spec 2 channel form]', async ({ page, root }) => {
  const name = uniqueName('many')
  await page.goto('/channel/add')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Several keys: one channel for each line').check()
  await page.getByRole('textbox', { name: 'Keys, one a line' }).fill('sk-1\nsk-2\nsk-3')
  await page.getByRole('combobox', { name: 'Models' }).fill('gpt-4o')
  await page.keyboard.press('Enter')
  await create(page)
  await expectToast(page, 'success', 'Channel created')
  expect(await found(root, name)).toHaveLength(3)
})

test('one key again is one channel [spec 2 channel form]', async ({ page, root }) => {
  const name = uniqueName('single')
  await page.goto('/channel/add')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Several keys: one channel for each line').check()
  await page.getByRole('textbox', { name: 'Keys, one a line' }).fill('sk-1\nsk-2')
  await page.getByLabel('Several keys: one channel for each line').uncheck()
  await expect(page.getByRole('textbox', { name: 'Key' })).toHaveValue('sk-1')
  await page.getByRole('combobox', { name: 'Models' }).fill('gpt-4o')
  await page.keyboard.press('Enter')
  await create(page)
  await expectToast(page, 'success', 'Channel created')
  expect(await found(root, name)).toHaveLength(1)
})

test('editing keeps the key when it is left empty [spec 2 channel form] [spec 8 toast channel updated]', async ({
  page,
  root,
}) => {
  const { name } = await makeChannel(root, { weight: 3, group: 'default' })
  const [before] = await found(root, name)
  await page.goto(`/channel/edit/${before?.id}`)
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await expect(page.getByRole('textbox', { name: 'Key' })).toHaveValue('')
  await expect(page.getByText('Leave empty to keep the key.')).toBeVisible()
  await page.getByLabel('Name').fill(`${name}-2`)
  await page.getByLabel('Weight').fill('')
  await page.locator('.mantine-MultiSelect-input').click()
  await page.getByRole('option', { name: 'vip', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'success', 'Channel updated')
  expect((await found(root, name))[0]).toMatchObject({ name: `${name}-2`, weight: 3, group: 'default,vip' })
})

for (const theme of themes) {
  test(`the form has no fault axe can find, ${theme}`, async ({ page }) => {
    await choose(page, { theme, language: theme === 'dark' ? 'zh' : 'en' })
    await page.goto('/channel/add')
    await page.locator('textarea').first().fill('{ oops')
    await page.locator('button[type=submit]').last().click()
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await expectAccessible(page)
  })
}

test('keys of a pool that is none after all are not each a channel', async ({ page, root }) => {
  const name = uniqueName('pooled')
  await page.goto('/channel/add')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  const pool = page.getByRole('checkbox', { name: /pool/i })
  await pool.check()
  await page.getByRole('textbox', { name: 'Keys' }).fill('sk-a\nsk-b\nsk-c')
  await pool.uncheck()
  await page.getByRole('button', { name: /^Fill with this type/ }).click()
  await page.getByRole('button', { name: 'Create channel' }).click()
  await expect(page).toHaveURL(/\/channel$/)
  expect(await found(root, name)).toHaveLength(1)
})
