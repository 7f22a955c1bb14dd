import { expect, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { choose, expectNoSideways } from './support/axe.ts'
import { makeChannel } from './support/make.ts'
import { namesInUse } from './support/names.ts'
import { makeScreens, publicScreens, type Screen } from './support/screens.ts'
import { desktop, phone, stored, test } from './support/site.ts'
import { visit } from './support/visit.ts'

/** Latin words that are the same in Chinese: names, units and what people typed. */
const names = new Set(
  `switchyard github wechat turnstile openai azure google gemini anthropic moonshot ollama smtp json api url html
  markdown https http mit token cidr oauth gpt root user default credit channel yyyy-mm-dd gpt- turbo com example logo iframe
  alt png jpeg webp gif csv pdf curl python typescript openid connect oidc socks asia shanghai weight cost latency set remove
  password host node team o-mini top tts- gpt-image- pass post chat completions litellm openrouter one-api models dev
  x-switchyard-channel ctrl responses messages`.split(/\s+/),
)

/** Names of models have a number in them. */
const modelNames = /[A-Za-z][\w-]*\d[\w.:-]*/g

const latinWords = /[A-Za-z][A-Za-z'-]{2,}/g

/** What a reader sees as words of the interface: no code, no field contents, no data of the lists. */
const interfaceText = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const skipped =
      'pre, code, [class*="_code_"], script, noscript, style, svg, kbd, option, textarea, .mono, tbody, [class*="Pill"], [role="listbox"], [lang="en"]'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest(skipped)) texts.push(node.textContent ?? '')
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
      if (element.closest(skipped)) continue
      for (const name of ['aria-label', 'placeholder', 'title']) texts.push(element.getAttribute(name) ?? '')
    }
    return texts.filter((text) => text.trim() !== '')
  })

/** Names as they stand by themselves, not inside of a word; the longest first, for a name may be part of another. */
function anyOf(given: readonly string[]): RegExp {
  const escaped = given.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![A-Za-z])(?:${escaped.join('|') || '(?!)'})(?![A-Za-z])`, 'g')
}

/** Words of no name that a screen still says in Latin letters. */
async function foreignWords(page: Page, path: string, given: RegExp): Promise<string[]> {
  await visit(page, path, /[\u4e00-\u9fff]/)
  const texts = await interfaceText(page)
  await page.setViewportSize(phone)
  await expectNoSideways(page, `${path} scrolls sideways on a phone`)
  await page.setViewportSize(desktop)
  const foreign = (text: string) =>
    (text.replaceAll(given, ' ').replaceAll(modelNames, ' ').match(latinWords) ?? []).filter(
      (word) => !names.has(word.toLowerCase()),
    )
  return texts.flatMap((text) => foreign(text).map((word) => `${path}: ${word} in ${text}`))
}

async function expectChinese(page: Page, screens: readonly Screen[], given: readonly string[] = []): Promise<void> {
  await choose(page, { language: 'zh' })
  const found: string[] = []
  const givenNames = anyOf(given)
  for (const { path } of screens) found.push(...(await foreignWords(page, path, givenNames)))
  expect(found).toEqual([])
}

test('no English is left on the public screens in Chinese', ({ page }) => expectChinese(page, publicScreens))

test('no English is left behind the login in Chinese', async ({ page, root, enterAs }) => {
  test.slow()
  await enterAs(root)
  const screens = await makeScreens(root)
  await expectChinese(page, screens, await namesInUse(root))
})

test('the language is switched in the bar, at once and for good', { tag: '@smoke' }, async ({ page }) => {
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '中文' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('关于')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect.poll(() => stored(page, 'language')).toBe('zh')
  await page.goto('/login')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByText('请输入用户名')).toBeVisible()
  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in')
})

test('refusals of the server are in Chinese too [spec 8 server message]', async ({ page, member }) => {
  await choose(page, { language: 'zh' })
  await page.goto('/login')
  await page.getByLabel('用户名或邮箱').fill(member.user.username)
  await page.getByRole('textbox', { name: '密码' }).fill('not-the-password')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(/[\u4e00-\u9fff]/)
})

test('lists of names have the commas of their language', async ({ page, root, enterAs }) => {
  const { name } = await makeChannel(root, { models: 'nobody-sells-a,nobody-sells-b' })
  const { list } = await root.call(channelsApi.search, { keyword: name })
  await choose(page, { language: 'zh' })
  await enterAs(root)
  await page.goto(`/channel/edit/${list[0]?.id}`)
  await expect(page.getByText('2 个模型没有价格')).toContainText('nobody-sells-a，nobody-sells-b 设置倍率')
  await page.setViewportSize(phone)
  await page.goto('/history')
  await expect(page.getByText(/^root，\d\d:\d\d:\d\d$/).first()).toBeVisible()
})

test.describe('a browser set to Chinese', () => {
  test.use({ locale: 'zh-CN' })
  test('gets Chinese without asking', async ({ page }) => {
    await page.goto('/about')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('关于')
  })
})
