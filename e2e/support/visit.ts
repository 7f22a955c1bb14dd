import { expect, type Page } from '@playwright/test'
import type { Screen } from './screens.ts'

const isOpen = (page: Page): boolean => page.url().startsWith('http')

/** Leads the console that is open to another of its addresses, as a link does. */
const lead = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Where a screen of the same heading would be taken for the next one, this one comes between. */
const between = { path: '/about', title: /^(About|关于)$/ }

/**
 * Shows one screen after another in a tenth of the time of loading each anew, and waits until the heading of this one stands and
 * nothing is on its way.
 */
export async function visit(page: Page, path: string, title: Screen['title'] | RegExp = /./): Promise<void> {
  if (!isOpen(page)) await page.goto(path)
  else {
    await lead(page, between.path)
    await expect(heading(page)).toHaveText(between.title)
    await lead(page, path)
    if (path !== between.path) await expect(heading(page)).not.toHaveText(between.title)
  }
  await expect(heading(page)).toHaveText(title)
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
}
