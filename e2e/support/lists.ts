import { expect, type Locator, type Page } from '@playwright/test'

export const phone = { width: 390, height: 844 }

/** The row of a table with this name. */
export const rowOf = (page: Page, name: string): Locator => page.locator('tbody tr').filter({ hasText: name })

/** The names of the rows as they stand, top to bottom. */
export const namesOf = (page: Page): Promise<string[]> => page.locator('tbody tr b').allTextContents()

/** Waits for a toast of this kind with this text. */
export async function expectToast(page: Page, kind: 'success' | 'error' | 'warning', text: string | RegExp) {
  const toasts = page.locator(`.mantine-Notification-root[data-kind=${kind}]`).filter({ hasText: text })
  await expect(toasts.first()).toBeVisible()
}

/** Presses a header and waits until the column is sorted that way. */
export async function sortBy(page: Page, header: string, sorted: 'ascending' | 'descending' = 'ascending') {
  const cell = page.locator('thead th').filter({ has: page.getByRole('button', { name: header, exact: true }) })
  await cell.getByRole('button').click()
  await expect(cell).toHaveAttribute('aria-sort', sorted)
}

export async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('search').getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
}

/** Counts how often the console asks for a list, to prove that a row changed in place. */
export function countLoads(page: Page, path: string): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === path) loads += 1
  })
  return () => loads
}

/** Makes the browser refuse the clipboard, as it does on plain http. */
export async function refuseClipboard(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => Promise.reject(new Error('not allowed')) },
    })
  })
}

/** Keeps what is copied, so that it can be read back. */
export async function watchClipboard(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void sessionStorage.setItem('copied', text) },
    })
  })
  return () => page.evaluate(() => sessionStorage.getItem('copied') ?? '')
}

/** Keeps which address is opened in another window. */
export async function watchWindows(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    window.open = (address) => {
      sessionStorage.setItem('opened', String(address))
      return null
    }
  })
  return () => page.evaluate(() => sessionStorage.getItem('opened') ?? '')
}
