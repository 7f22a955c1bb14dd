import { expect } from '@playwright/test'
import { chat, makeSpender, startUpstream } from './support/relay.ts'
import { test } from './support/site.ts'

const model = 'claude-sonnet-4-5-20250929'

test('a word of a token’s name stands on one line of the log', async ({ page, root, server, enterAs }) => {
  const upstream = await startUpstream(root, [model])
  const spender = await makeSpender(root, server.url)
  await chat(spender, server.url, model, 'production-api')
  await upstream.stop()
  await enterAs(root)
  await page.goto(`/log?type=2&username=${spender.user.username}`)
  const name = page.locator('td[data-column="token"] span')
  await expect(name).toHaveText('production-api')
  await page.evaluate(() => document.fonts.ready)
  const lines = await name.evaluate((element) => {
    const range = document.createRange()
    range.setStart(element.firstChild as Text, 0)
    range.setEnd(element.firstChild as Text, 'production-'.length)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
})

test('names stand whole in the log where its columns are narrow', async ({ page, root, server, enterAs }) => {
  const upstream = await startUpstream(root, [model])
  const spender = await makeSpender(root, server.url)
  const token = await chat(spender, server.url, model)
  await upstream.stop()
  await enterAs(root)
  await page.goto(`/log?type=2&username=${spender.user.username}`)
  const names = page.locator('td[data-column="user"], td[data-column="token"], td[data-column="model"]')
  await expect(names).toHaveText([spender.user.username, token, model])
  // Until its own font is here a name may be wider.
  await page.evaluate(() => document.fonts.ready)
  const cut = await names.evaluateAll((cells) =>
    cells
      .flatMap((cell) => [cell, ...cell.children])
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
        return scrollWidth > clientWidth || scrollHeight > clientHeight
      })
      .map(({ textContent }) => textContent),
  )
  expect(cut).toEqual([])
})
