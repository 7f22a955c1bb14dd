import { expect, type Locator, type Page } from '@playwright/test'

const stepsMax = 150

/** What has the focus can be seen to have it. */
async function expectSeen(target: Locator): Promise<void> {
  const outline = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
  })
  expect(outline, 'the focus is seen').toBeGreaterThan(0)
}

const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((element) => element === document.activeElement)

/** Goes on with Tab until the target has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let step = 0; step < stepsMax; step += 1) {
    if (await hasFocus(target)) return expectSeen(target)
    await page.keyboard.press(key)
  }
  throw new Error(`not reached with ${key}: ${target}`)
}

/** Reaches it and presses Enter. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Reaches a field and writes into it in place of what stands there. */
export async function writeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}
