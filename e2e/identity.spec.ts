import { createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { logIn } from './support/api-client.ts'
import { expectAccessible } from './support/axe.ts'
import { pressOn, tabTo } from './support/keys.ts'
import { makeUser, userPassword } from './support/make.ts'
import { startLoginProvider } from './support/oidc-provider.ts'
import { stored, test, toasts } from './support/site.ts'

/** What an authenticator app shows for a key, `ahead` steps from now. */
function codeOf(secret: string, ahead = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const fillLogin = async (page: Page, username: string) => {
  await page.getByLabel('Username or email').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(userPassword)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** A browser that confirms every passkey by itself. */
async function bringAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('an authenticator app is set up, asked for at the next login, and a recovery code stands in', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  const { username } = await makeUser(root)
  await enterAs(await logIn(server.url, username, userPassword))
  await page.goto('/setting')
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await expectAccessible(page)
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code of the app').fill(codeOf(secret, -1))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toasts(page, 'success')).toHaveText('Authenticator app set up')
  const codes = page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectAccessible(page)
  const recovery = (await codes.first().textContent()) ?? ''

  await page.context().clearCookies()
  await page.goto('/login')
  await fillLogin(page, username)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toasts(page, 'error')).toHaveText('The code is wrong or has expired')
  await expectAccessible(page)
  await page.getByLabel('Code', { exact: true }).fill(recovery)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page).toHaveURL(/\/token$/)
})

test('a passkey is made, logs in without a password and ends a login with one', async ({ page, root, server }) => {
  const { username } = await makeUser(root)
  const site = server.url.replace('127.0.0.1', 'localhost')
  await bringAuthenticator(page)
  await page.goto(`${site}/login`)
  await fillLogin(page, username)
  await expect(page).toHaveURL(/\/token$/)
  await page.goto(`${site}/setting`)
  await page.getByLabel('Name of the passkey').fill('test key')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(toasts(page, 'error')).toHaveText('Error: Enter your password or a code of your second factor')
  await page.getByLabel('Your password').fill(userPassword)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(toasts(page, 'success')).toHaveText('Passkey added')
  await expect(page.getByRole('button', { name: 'Remove test key' })).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${site}/login`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page).toHaveURL(/\/token$/)

  await page.context().clearCookies()
  await page.goto(`${site}/login`)
  await fillLogin(page, username)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/token$/)
})

test('one goes to the login provider and comes back logged in', async ({ page, server, setOptions }) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Continue with Company' })).toHaveCount(0)
  const provider = await startLoginProvider(server.url)
  await setOptions(provider.options)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with Company' }).click()
  await page.getByPlaceholder('Enter any login').fill('maren')
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect
    .poll(async () => JSON.parse((await stored(page, 'user')) ?? '{}'))
    .toMatchObject({ display_name: 'Company maren' })
  await provider.stop()
})

test('sessions are shown and all others are ended', async ({ page, root, server, enterAs }) => {
  const { username } = await makeUser(root)
  const other = await logIn(server.url, username, userPassword)
  await enterAs(await logIn(server.url, username, userPassword))
  await page.goto('/setting#sessions')
  await expect(page.getByText('(this one)')).toBeVisible()
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
  await expect(toasts(page, 'success')).toHaveText('1 session ended')
  const gone = await page.request.get('/api/user/self', { headers: { cookie: `session=${other.session.value}` } })
  expect(gone.status()).toBe(401)
})

test('a passkey is renamed and removed by keys, which go on from where it stood', async ({ page, root, server }) => {
  const { username } = await makeUser(root)
  const site = server.url.replace('127.0.0.1', 'localhost')
  await bringAuthenticator(page)
  await page.goto(`${site}/login`)
  await fillLogin(page, username)
  await expect(page).toHaveURL(/\/token$/)
  await page.goto(`${site}/setting`)
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await page.getByLabel('Name of the passkey').fill('laptop')
  await page.getByLabel('Your password').fill(userPassword)
  await page.keyboard.press('Enter')
  await pressOn(page, passkeys.getByRole('button', { name: 'Rename laptop' }))
  const name = passkeys.getByRole('textbox', { name: 'Name of the passkey' }).first()
  await expect(name).toBeFocused()
  await name.fill('phone')
  await page.keyboard.press('Enter')
  await expect(page.locator(':focus')).toContainText('phone')
  await pressOn(page, passkeys.getByRole('button', { name: 'Rename phone' }))
  await pressOn(page, passkeys.getByRole('button', { name: 'Cancel' }))
  await expect(page.locator(':focus')).toContainText('phone')
  await pressOn(page, passkeys.getByRole('button', { name: 'Remove phone' }))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }))
  await expect(passkeys.getByText('None.')).toBeVisible()
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
})

test('codes of an app and the end of a session leave the keys where they were', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  const { username } = await makeUser(root)
  await logIn(server.url, username, userPassword)
  await enterAs(await logIn(server.url, username, userPassword))
  await page.goto('/setting')
  await pressOn(page, page.getByRole('button', { name: 'Set up authenticator app' }))
  await expect(page.getByLabel('Code of the app')).toBeFocused()
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
  await page.keyboard.type(codeOf(secret))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toBeFocused()
  const app = page.getByRole('region', { name: 'Authenticator app' })
  await tabTo(page, app.getByRole('button', { name: 'New recovery codes' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await pressOn(page, app.getByRole('button', { name: 'Cancel' }))
  await expect(app.locator(':focus')).toHaveCount(1)
  await pressOn(page, page.getByRole('button', { name: /^End node/ }))
  await expect(toasts(page, 'success').filter({ hasText: 'ended' })).toBeVisible()
  await expect(page.locator(':focus')).toContainText('(this one)')
})
