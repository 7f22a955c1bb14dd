import { expect, type Page } from '@playwright/test'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { startHostileUpstream } from './support/hostile-upstream.ts'
import { startMailbox } from './support/mailbox.ts'
import { makeChannel, makeToken, uniqueName } from './support/make.ts'
import { makeSpender } from './support/relay.ts'
import { stored, test } from './support/site.ts'

test('a link that would bind an address does nothing when it is opened, however it is opened', {
  tag: '@smoke',
}, async ({ page, context, member, server, enterAs, setOptions }) => {
  const mails = await startMailbox()
  await setOptions(mails.options)
  const email = `${uniqueName('attacker')}@example.com`
  await member.call(authApi.verification, { email })
  const code = />(\w{6,})<\/strong>/.exec(await mails.next())?.[1] ?? ''
  expect(code).not.toBe('')
  const link = `${server.url}/api/oauth/email/bind?email=${encodeURIComponent(email)}&code=${code}`
  const bound = async () => (await member.call(accountApi.self, {})).email
  await enterAs(member)
  await page.goto('/about')
  expect((await context.cookies()).map(({ name }) => name)).toContain('session')

  const pasted = await page.goto(link)
  expect(pasted?.status()).toBe(403)
  expect(await bound()).toBe('')

  const elsewhere = 'http://prize.example/'
  const bait = `<a id="bait" href="${link.replaceAll('&', '&amp;')}">a prize</a>`
  await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: bait }))
  await page.goto(elsewhere)
  const clicked = page.waitForResponse((response) => response.url() === link)
  await page.locator('#bait').click()
  expect((await clicked).status()).toBe(403)
  expect(await bound()).toBe('')

  // The same link from the console itself is what the code was made for.
  await page.goto('/about')
  expect(await page.evaluate(async (href) => (await fetch(href)).status, link)).toBe(200)
  expect(await bound()).toBe(email)
  await mails.stop()
})

/** The answer of the relay as a document, and as a blob in a frame: the two ways a page could come of it. */
async function openAsPage(page: Page, path: string, headers: Record<string, string>, data: string): Promise<void> {
  await page.route('**/opened', async (route) => {
    const { origin } = new URL(route.request().url())
    await route.fulfill({
      response: await route.fetch({ url: origin + path, method: 'POST', headers, postData: data }),
    })
  })
  // What is no page for a browser becomes a download, which ends the visit.
  await page.goto('/opened').catch(() => undefined)
  await page.unroute('**/opened')
  await page.goto('/about')
  await page.evaluate(
    async ([to, heads, body]) => {
      const answer = await fetch(to, { method: 'POST', headers: heads, body })
      const frame = document.createElement('iframe')
      frame.src = URL.createObjectURL(await answer.blob())
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
      document.body.append(frame)
      await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 500))])
    },
    [path, headers, data] as const,
  )
}

test('a page that an upstream sends for speech or a picture runs nothing on the origin of the console', async ({
  page,
  root,
  server,
  enterAs,
}) => {
  const upstream = await startHostileUpstream()
  await makeChannel(root, { type: 8, base_url: upstream.url, models: 'tts-1,gpt-image-1', priority: 4000 })
  const spender = await makeSpender(root, server.url, 50_000_000)
  const { name } = await makeToken(spender, { unlimited_quota: true })
  const { list } = await spender.call(tokensApi.search, { keyword: name })
  const headers = { authorization: `Bearer sk-${list[0]?.key}`, 'content-type': 'application/json' }
  await enterAs(spender)
  // That a page at this address would leave its mark.
  const asIs = await fetch(upstream.url)
  await page.route('**/opened', async (route) => route.fulfill({ contentType: 'text/html', body: await asIs.text() }))
  await page.goto('/opened')
  expect(await stored(page, 'hurt')).toContain('/opened')
  await page.evaluate(() => localStorage.removeItem('hurt'))
  await page.unroute('**/opened')
  for (const [path, body] of [
    ['/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy' }],
    ['/v1/images/generations', { model: 'gpt-image-1', prompt: 'a yard', size: '1024x1024', quality: 'low' }],
  ] as const) {
    await openAsPage(page, path, headers, JSON.stringify(body))
    expect(await stored(page, 'hurt'), path).toBeNull()
  }
  await upstream.stop()
})
