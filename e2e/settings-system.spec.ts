import { expect, type Page } from '@playwright/test'
import { optionsApi } from '#shared/api/options.ts'
import { statusApi } from '#shared/api/status.ts'
import type { ApiClient } from './support/api-client.ts'
import { expectAccessible } from './support/axe.ts'
import { test } from './support/test.ts'

const toast = '.mantine-Notification-root'
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.locator(toast).first()).toContainText('Operation completed')
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
}

const storedValue = async (root: ApiClient, key: string) =>
  (await root.call(optionsApi.list, {})).find((option) => option.key === key)?.value

async function write(root: ApiClient, values: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(values)) await root.call(optionsApi.update, { key, value })
}

test.beforeEach(async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/setting?tab=system')
})

test('the server address loses its trailing slash [spec 2 system general] [spec 5 server addresses]', async ({
  page,
  root,
}) => {
  const address = section(page, 'General').getByLabel('Server address')
  await address.fill('https://relay.example.com/')
  await save(page)
  await expect(address).toHaveValue('https://relay.example.com')
  expect(await storedValue(root, 'ServerAddress')).toBe('https://relay.example.com')
  await address.fill('relay.example.com')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('must begin with http:// or https://')).toBeVisible()
  await write(root, { ServerAddress: '' })
})

test('turning off password login asks first [spec 2 system login] [spec 4 boolean options]', async ({ page, root }) => {
  const login = section(page, 'Login and registration')
  for (const label of [
    'Allow registration by password',
    'Require email verification to register by password',
    'Allow login and registration with GitHub',
    'Allow login and registration with WeChat',
    'Allow new users to register',
    'Check for bots with Turnstile',
  ])
    await expect(login.getByLabel(label)).toBeVisible()
  const password = login.getByLabel('Allow login by password')
  await password.click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('administrators included, will then be unable to log in')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(password).toBeChecked()
  await password.click()
  await question.getByRole('button', { name: 'Turn off' }).click()
  await expect(password).not.toBeChecked()
  await save(page)
  expect((await root.call(statusApi.status, {})).password_login).toBe(false)
  await password.click()
  await save(page)
  expect((await root.call(statusApi.status, {})).password_login).toBe(true)
})

test('a switch whose texts are missing is refused with what to fill in', async ({ page }) => {
  await page.getByLabel('Allow login and registration with GitHub').click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  // A secret another test has stored stays stored.
  await expect(page.locator(toast)).toHaveText(/^Fill in GitHubClientId( and GitHubClientSecret)? first$/)
})

test('a domain is added once and only if there is one [spec 2 system whitelist] [spec 5 email whitelist]', async ({
  page,
  root,
}) => {
  const domains = section(page, 'Email domain whitelist').getByLabel('Allowed domains')
  const before = (await storedValue(root, 'EmailDomainWhitelist')) ?? ''
  await domains.press('Enter')
  await domains.fill('GMAIL.com')
  await domains.press('Enter')
  await domains.fill('   ')
  await domains.press('Enter')
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await domains.fill('example.org')
  await domains.press('Enter')
  await save(page)
  expect(await storedValue(root, 'EmailDomainWhitelist')).toBe(`${before},example.org`)
  await write(root, { EmailDomainWhitelist: before })
})

test('secrets are sent only when they are filled in [spec 2 system smtp] [spec 9 smtp port] [spec 5 secret fields]', async ({
  page,
  root,
}) => {
  const sent: Array<{ key: string; value: string }> = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON())
  })
  const mail = section(page, 'SMTP')
  await expect(mail.getByLabel('SMTP port')).toHaveValue('587')
  await mail.getByLabel('SMTP server').fill('smtp.example.com')
  await mail.getByLabel('SMTP account').fill('relay@example.com')
  await mail.getByLabel('Sender').fill('relay@example.com')
  await save(page)
  expect(sent.map(({ key }) => key)).not.toContain('SMTPToken')
  await mail.getByLabel('SMTP password or token').fill('letters')
  await mail.getByLabel('SMTP password or token').fill('')
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await mail.getByLabel('SMTP password or token').fill('hunter2')
  await save(page)
  expect(sent.at(-1)).toEqual({ key: 'SMTPToken', value: 'hunter2' })
  await expect(mail.getByLabel('SMTP password or token')).toHaveValue('')
  await mail.getByLabel('SMTP port').fill('70000')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('must be a port from 1 to 65535')).toBeVisible()
  await write(root, { SMTPServer: '', SMTPAccount: '', SMTPFrom: '' })
})

test('the keys of other services are set, and their switches go on with them [spec 2 system github] [spec 2 system wechat] [spec 2 system pusher] [spec 2 system turnstile]', async ({
  page,
  root,
}) => {
  const fill = async (name: string, fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields)) await section(page, name).getByLabel(label).fill(value)
  }
  await expect(section(page, 'GitHub OAuth')).toContainText('/oauth/github')
  await fill('GitHub OAuth', { 'Client ID': 'client-1', 'Client secret': 'secret-1' })
  await fill('WeChat server', {
    'Server address of the login service': 'https://wechat.example.com/',
    'Access token': 'secret-2',
    'QR code image address': 'https://wechat.example.com/qr.png',
  })
  await fill('Message pusher', { 'Push address': 'https://push.example.com', 'Push token': 'secret-3' })
  await fill('Turnstile', { 'Site key': 'site-1', 'Secret key': 'secret-4' })
  await page.getByLabel('Allow login and registration with GitHub').click()
  await expect(page.getByText(/unsaved changes in Login and registration, GitHub OAuth/)).toBeVisible()
  await save(page)
  const status = await root.call(statusApi.status, {})
  expect(status).toMatchObject({ github_oauth: true, github_client_id: 'client-1', turnstile_site_key: 'site-1' })
  expect(await storedValue(root, 'WeChatServerAddress')).toBe('https://wechat.example.com')
  await write(root, { GitHubOAuthEnabled: 'false', GitHubClientId: '', TurnstileSiteKey: '', WeChatServerAddress: '' })
  await write(root, { WeChatAccountQRCodeImageURL: '', MessagePusherAddress: '' })
})

test('name, theme and contents change what visitors see [spec 2 other personalization] [spec 2 other content]', async ({
  page,
  root,
}) => {
  await page.goto('/setting?tab=other')
  await page.getByRole('textbox', { name: 'Notice' }).fill('Maintenance **tonight**')
  await page.getByRole('textbox', { name: 'System name' }).fill('Night Yard')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await page.getByRole('textbox', { name: 'Logo address' }).fill('/favicon.svg')
  await page.getByRole('textbox', { name: 'Home page content' }).fill('# Our relay')
  await page.getByRole('textbox', { name: 'About' }).fill('Run by us.')
  await page.getByRole('textbox', { name: 'Footer' }).fill('<b>Our footer</b>')
  await save(page)
  await expect(page.getByRole('link', { name: 'Night Yard' })).toBeVisible()
  await expect(page.locator('footer')).toHaveText('Our footer')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Home' }).getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { name: 'Our relay' })).toBeVisible()
  await page.goto('/about')
  await expect(page.getByText('Run by us.')).toBeVisible()
  await write(root, {
    Notice: '',
    SystemName: 'Switchyard',
    Theme: 'default',
    Logo: '',
    HomePageContent: '',
    About: '',
  })
  await write(root, { Footer: '' })
})

test('the update check shows the notes, or that there is nothing newer [spec 2 other update] [spec 8 latest version]', async ({
  page,
  thirdParties,
}) => {
  await page.goto('/setting?tab=other')
  const check = page.getByRole('button', { name: 'Check for update' })
  thirdParties.release = { tag_name: '', body: '', html_url: '' }
  await check.click()
  await expect(page.locator(toast)).toHaveText('already the latest version')
  thirdParties.release = {
    tag_name: 'v9.1.0',
    body: '## Fixed\n\n- a *thing*',
    html_url: 'https://example.com/releases',
  }
  await check.click()
  const notes = page.getByRole('dialog')
  await expect(notes).toContainText('v9.1.0')
  await expect(notes.getByRole('heading', { name: 'Fixed' })).toBeVisible()
  await expect(notes.getByRole('link', { name: 'Go to the releases page' })).toHaveAttribute(
    'href',
    'https://example.com/releases',
  )
  await expectAccessible(page)
})
