import { expect } from '@playwright/test'
import { phone, test } from './support/site.ts'

for (const lost of ['toast-view', 'safe-html', 'nav-sheet']) {
  test(`the console stands when the code of its ${lost} cannot be had`, async ({ page, setOptions }) => {
    await setOptions({ Footer: '<p>Run by the ops team</p>' })
    let refused = 0
    await page.route(new RegExp(`/assets/${lost}-`), (route) => {
      refused += 1
      return route.abort()
    })
    await page.setViewportSize(phone)
    await page.goto('/about')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect.poll(() => refused).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Close menu' }).click()
    await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
    await expect(page.getByText('Something went wrong on this page.')).toHaveCount(0)
  })
}
