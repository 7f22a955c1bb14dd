import { expect, type Locator, type Page } from '@playwright/test'
import { channelsApi } from '#shared/api/channels.ts'
import { holdScripts } from './support/held.ts'
import { makeChannel } from './support/make.ts'
import { desktop, phone, test } from './support/site.ts'

const late = 'choices|type-select'

const fieldOf = (page: Page, label: string): Locator => page.getByRole('combobox', { name: label })

/** It stands there and can be opened. */
const expectReady = (page: Page, label: string): Promise<void> =>
  expect(fieldOf(page, label)).not.toHaveAttribute('data-waiting')

/** The page of a form whose fields of choices cannot be opened yet. */
async function openForm(page: Page): Promise<() => void> {
  const release = await holdScripts(page, late)
  await page.goto('/channel/add')
  await expect(fieldOf(page, 'Groups')).toBeVisible()
  return release
}

test.beforeEach(async ({ enterAs, root }) => enterAs(root))

const expectOpen = async (page: Page, label: string) => {
  await expect(fieldOf(page, label)).toBeFocused()
  await expect(page.getByRole('option').first()).toBeVisible()
}

for (const label of ['Type', 'Groups', 'Models']) {
  test(`${label}: one click opens the list though its code comes after it`, async ({ page }) => {
    const release = await openForm(page)
    await fieldOf(page, label).click()
    release()
    await expectOpen(page, label)
  })

  test(`${label}: a press that lasts while the code arrives opens the list`, async ({ page }) => {
    const release = await openForm(page)
    await fieldOf(page, label).hover()
    await page.mouse.down()
    release()
    await expectReady(page, label)
    await page.mouse.up()
    await expectOpen(page, label)
  })

  for (const key of ['ArrowDown', 'Enter', 'Space']) {
    test(`${label}: ${key} opens the list though its code comes after it`, async ({ page }) => {
      const release = await openForm(page)
      await fieldOf(page, label).focus()
      await page.keyboard.press(key)
      release()
      await expectOpen(page, label)
      await expect(page).toHaveURL(/\/channel\/add$/)
    })
  }
}

test('letters typed into a field of names while its code is on its way are kept', async ({ page }) => {
  const release = await openForm(page)
  await fieldOf(page, 'Models').focus()
  await page.keyboard.type('house-model')
  release()
  await expectReady(page, 'Models')
  await expect(fieldOf(page, 'Models')).toBeFocused()
  await expect(fieldOf(page, 'Models')).toHaveValue('house-model')
  await page.keyboard.type('-2')
  await expect(fieldOf(page, 'Models')).toHaveValue('house-model-2')
})

test('a form stands when the code of its fields cannot be had, and the next press asks for it again', async ({
  page,
}) => {
  await page.route(/\/assets\/choices-/, (route) => route.abort())
  await page.goto('/channel/add')
  await page.getByLabel('Name').fill('half typed')
  await expect(page.locator('[data-kind="error"]').first()).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('half typed')
  await page.unrouteAll()
  await fieldOf(page, 'Groups').click()
  await expectOpen(page, 'Groups')
  await expect(page.getByLabel('Name')).toHaveValue('half typed')
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: phone })

  test('one tap opens the list though its code comes after it', async ({ page }) => {
    const release = await openForm(page)
    await fieldOf(page, 'Groups').tap()
    release()
    await expectOpen(page, 'Groups')
  })
})

/** Where a field stands, what it says and in which letters. */
const looksOf = (page: Page, labels: readonly string[]) =>
  page.evaluate(async (wanted) => {
    // Letters of a font that is still on its way have other widths.
    await Promise.all([...document.fonts].map((face) => face.load()))
    const fieldNamed = (label: string) => {
      const name = [...document.querySelectorAll('main label')].find(
        (it) => it.textContent?.replace(' *', '') === label,
      )
      const input = document.getElementById(name?.getAttribute('for') ?? '') as HTMLInputElement
      return { input, root: input.closest('.mantine-InputWrapper-root') as HTMLElement }
    }
    const lookOf = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const { fontFamily, fontSize, fontWeight, lineHeight, color } = getComputedStyle(element)
      const letters = [fontFamily, fontSize, fontWeight, lineHeight, color]
      return { text: element.textContent, box: [x, y, width, height], letters }
    }
    return wanted.map((label) => {
      const { input, root } = fieldNamed(label)
      const parts = root.querySelectorAll(
        'label, [class*="-description"], [class*="Input-wrapper"], [class*="Pill-root"], svg',
      )
      const { value, placeholder } = input
      // An input that shows no words stands behind the names.
      const words = value || placeholder ? [lookOf(input)] : []
      return { label, value, placeholder, words, parts: [...parts].map(lookOf) }
    })
  }, labels)

for (const size of [desktop, phone]) {
  test(`at ${size.width} a field looks the same before and after it can be opened`, async ({ page, root }) => {
    const { name } = await makeChannel(root, { group: 'default,vip', models: 'gpt-4o,gpt-4o-mini' })
    const [channel] = (await root.call(channelsApi.search, { keyword: name })).list
    await page.setViewportSize(size)
    const release = await holdScripts(page, late)
    await page.goto(`/channel/edit/${channel?.id}`)
    await expect(page.getByText('gpt-4o-mini')).toBeVisible()
    const labels = ['Type', 'Groups', 'Models']
    const before = await looksOf(page, labels)
    release()
    await page.mouse.move(1, 1)
    for (const label of labels) await expectReady(page, label)
    expect(await looksOf(page, labels)).toEqual(before)
  })
}
