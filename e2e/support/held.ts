import type { Page } from '@playwright/test'

/** Keeps what is asked for at such an address from arriving; the returned function lets it through. */
export async function hold(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** The same for the scripts of a name. */
export const holdScripts = (page: Page, name: string): Promise<() => void> =>
  hold(page, new RegExp(`/assets/(${name})-[^/]*\\.js$`))
