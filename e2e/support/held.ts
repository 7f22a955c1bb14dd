import type { Page } from '@playwright/test'

/** Keeps the scripts of a name from arriving; the returned function lets them through. */
export async function holdScripts(page: Page, name: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(new RegExp(`/assets/(${name})-[^/]*\\.js$`), async (route) => {
    await released
    await route.continue()
  })
  return release
}
