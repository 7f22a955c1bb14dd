import { expect } from '@playwright/test'
import { makeToken } from './support/make.ts'
import { test } from './support/site.ts'

test('without an answer of the status, money is counted as the server said last [spec 8 status fetch]', async ({
  page,
  member,
  enterAs,
  setOptions,
}) => {
  await setOptions({ QuotaPerUnit: '1000' })
  await makeToken(member, { name: 'rich', remain_quota: 5000 })
  await enterAs(member)
  await page.goto('/token')
  await expect(page.getByText('$5.00').first()).toBeVisible()
  await page.route('**/api/status', (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  await expect(page.locator('[data-kind=error]')).toHaveText('unable to connect to the server normally')
  await expect(page.getByText('$5.00').first()).toBeVisible()
})
