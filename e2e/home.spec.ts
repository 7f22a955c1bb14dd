import { expect, type Page } from '@playwright/test'
import { makeSpender } from './support/relay.ts'
import { stored, test, toasts } from './support/site.ts'

const attack = [
  '<script>window.hurt = true</script>',
  '<img src="/nowhere.png" onerror="window.hurt = true">',
  '<a id="bait" href="javascript:window.hurt = true">free quota</a>',
  '<iframe srcdoc="<script>parent.hurt = true</script>"></iframe>',
  '<svg onload="window.hurt = true"></svg>',
  '<form action="/api/user/logout"><input name="password"></form>',
  '<style>#root { display: none }</style>',
  '<button>Log in</button><textarea></textarea><select><option>a</option></select><dialog open>Log in</dialog>',
].join('\n')

async function expectUnhurt(page: Page): Promise<void> {
  const bait = page.locator('#bait').first()
  await expect(bait).toBeVisible()
  await expect(bait).not.toHaveAttribute('href', /javascript/)
  await bait.click()
  const written = page.locator('[class*=prose]').filter({ has: page.locator('#bait') })
  await expect(written.first()).toBeVisible()
  await expect(written.locator('script, style, iframe, form, input, button, textarea, select, dialog')).toHaveCount(0)
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false)
}

const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

test('the welcome page shows the address, an example and the state of the system [spec 4 timestamps]', async ({
  page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Switchyard')
  await expect(page.getByRole('region', { name: 'Example request' })).toContainText(`curl ${server.url}/v1/chat/comp`)
  await expect(fact(page, 'Version')).toHaveText(/^\d+\.\d+\.\d+/)
  await expect(fact(page, 'Running since')).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  await expect(fact(page, 'Registration')).toHaveText('On')
  await expect(fact(page, 'Password login')).toHaveText('On')
  await expect(fact(page, 'Bot check')).toHaveText('Off')
  await page.getByRole('button', { name: 'Copy the base URL' }).click()
  await expect(toasts(page, 'success')).toHaveText('Base URL copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/v1`)
  await expect(page.getByRole('main').getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
})

test('those logged in see their own quota, as money or as a count [spec 9 quota display]', async ({
  page,
  root,
  server,
  enterAs,
  setOptions,
}) => {
  await enterAs(await makeSpender(root, server.url, 1_234_567))
  await page.goto('/welcome')
  await expect(fact(page, 'Your quota')).toHaveText('$2.47 remaining')
  await expect(fact(page, 'Your requests')).toHaveText('0')
  await setOptions({ DisplayInCurrencyEnabled: 'false' })
  await page.reload()
  await expect(fact(page, 'Your quota')).toHaveText('1.2M remaining')
  await page.getByRole('link', { name: 'Create a token' }).click()
  await expect(page).toHaveURL(/\/token\/add$/)
})

test('the notice is shown once for each text and stays until it is closed [spec 9 toast durations]', async ({
  page,
  setOptions,
}) => {
  await setOptions({ Notice: 'Maintenance **tonight** at ten' })
  await page.clock.install()
  await page.goto('/')
  const notice = toasts(page, 'notice')
  await expect(notice).toContainText('Maintenance tonight at ten')
  await expect(notice.locator('strong')).toHaveText('tonight')
  await page.clock.fastForward(600_000)
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toHaveCount(0)
  await expect.poll(() => stored(page, 'notice')).toBe('Maintenance **tonight** at ten')
  const asked = page.waitForResponse('**/api/notice')
  await page.reload()
  await asked
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await setOptions({ Notice: 'Maintenance is over' })
  await page.reload()
  await expect(notice).toContainText('Maintenance is over')
})

test('home is what the operator wrote: Markdown, HTML or a framed page [spec 2 routes]', async ({
  page,
  setOptions,
  thirdParties,
}) => {
  await setOptions({ HomePageContent: '# Elm Street\n\nAsk *Maren* for a key.' })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elm Street')
  await expect(page.locator('em')).toHaveText('Maren')
  await setOptions({ HomePageContent: '<h1>By hand</h1><p>With <b>HTML</b></p>' })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('By hand')
  await setOptions({ HomePageContent: `${thirdParties.url}/landing` })
  await page.reload()
  await expect(page.locator('iframe')).toHaveAttribute('src', `${thirdParties.url}/landing`)
  await expect.poll(() => page.frames().map((frame) => frame.url())).toContain(`${thirdParties.url}/landing`)
})

test('about is what the operator wrote, else a page of its own [spec 2 routes]', async ({
  page,
  setOptions,
  thirdParties,
}) => {
  await page.goto('/about')
  await expect(page.getByText('The administrator has not written anything here yet.')).toBeVisible()
  await setOptions({ About: '# Who we are\n\n- two people' })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Who we are')
  await expect(page.getByRole('listitem')).toHaveText('two people')
  await setOptions({ About: `${thirdParties.url}/us` })
  await page.reload()
  await expect(page.locator('iframe[title="About"]')).toHaveAttribute('src', `${thirdParties.url}/us`)
})

test('a frame is shown as soon as its address is saved, without a reload by hand [spec 2 chat page]', async ({
  page,
  root,
  enterAs,
  setOptions,
  thirdParties,
}) => {
  const framed = () => page.frames().map((frame) => frame.url())
  await setOptions({ ChatLink: '' })
  await enterAs(root)
  await page.goto('/setting?tab=operations')
  await page.getByLabel('Chat link').fill(`${thirdParties.url}/landing`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click()
  await expect.poll(framed).toContain(`${thirdParties.url}/landing`)
  await expect(page).toHaveURL(/\/chat$/)
})

test('a frame that is refused for good is not asked for again and again', async ({
  page,
  setOptions,
  thirdParties,
}) => {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1
  })
  await setOptions({ HomePageContent: 'Hello' })
  await page.route('**/api/home_page_content', (route) =>
    route.fulfill({ json: { success: true, message: '', data: `${thirdParties.url}/landing` } }),
  )
  await page.goto('/')
  await expect.poll(() => loads).toBe(2)
  await expect(page.locator('iframe')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(loads).toBe(2)
})

test('a notice that is an address is a link', async ({ page, setOptions }) => {
  await setOptions({ Notice: 'https://status.example' })
  await page.goto('/')
  await expect(toasts(page, 'notice').getByRole('link')).toHaveAttribute('href', 'https://status.example')
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('members find what the operator wrote beside their overview, and the notice too', async ({
  page,
  member,
  enterAs,
  setOptions,
}) => {
  await enterAs(member)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await expect(page.getByRole('navigation', { name: 'Home' })).toHaveCount(0)
  await setOptions({ HomePageContent: '# Elm Street', Notice: 'Maintenance tonight' })
  await page.reload()
  await expect(toasts(page, 'notice')).toContainText('Maintenance tonight')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await page.getByRole('navigation', { name: 'Home' }).getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL(/\/welcome$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elm Street')
  await page.getByRole('navigation', { name: 'Home' }).getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
})

for (const [option, path] of [
  ['HomePageContent', '/'],
  ['About', '/about'],
  ['Footer', '/about'],
  ['Notice', '/'],
] as const) {
  test(`a script in ${option} does not run [spec 2 footer]`, async ({ page, setOptions }) => {
    await setOptions({ [option]: attack })
    await page.goto(path)
    await expectUnhurt(page)
  })
}

test('what the operator wrote stays in its place', async ({ page, setOptions }) => {
  await setOptions({ HomePageContent: '<div style="position: fixed; inset: 0; z-index: 9999">cover</div>' })
  await page.goto('/')
  await expect(page.getByText('cover')).toBeAttached()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click()
  await expect(page).toHaveURL(/\/about$/)
})
