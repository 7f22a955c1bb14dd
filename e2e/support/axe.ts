import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** A script that does nothing, for a page that has axe already. */
const nothing = 'undefined'

/**
 * In the page itself: looking into frames of other sites takes a second tab and twice the time. Reading axe again and gathering what
 * passed would take longer than the rules.
 */
async function expectNone(page: Page, rules: readonly string[] = []): Promise<void> {
  const hasAxe = page.frames().length === 1 && (await page.evaluate(() => 'axe' in window))
  const builder = new AxeBuilder({ page, ...(hasAxe ? { axeSource: nothing } : {}) })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
  const { violations } = await (rules.length > 0 ? builder.withRules([...rules]) : builder).analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target} ${html}`))
  expect(found).toEqual([])
}

/** Every rule of axe on the page as it stands. */
export const expectAccessible = (page: Page): Promise<void> => expectNone(page)

/** The rules on colour alone: all that a theme can change. */
export const expectReadable = (page: Page): Promise<void> => expectNone(page, ['color-contrast', 'link-in-text-block'])

/** A page whose window has just changed takes a moment to draw itself for the new width. */
export const expectNoSideways = (page: Page, message = 'the page scrolls sideways'): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth)), { message })
    .toBe(0)

export const themes = ['light', 'dark'] as const

/** Opens a page in a theme, and perhaps in another language, as if the visitor had chosen both before. */
export async function choose(
  page: Page,
  choices: { theme?: (typeof themes)[number]; language?: 'en' | 'zh' },
): Promise<void> {
  await page.addInitScript((chosen) => {
    for (const [key, value] of Object.entries(chosen)) localStorage.setItem(key, value)
  }, choices)
}
