import { expect } from '@playwright/test'
import { teamsApi } from '#shared/api/teams.ts'
import { hold } from './support/held.ts'
import { pressOn } from './support/keys.ts'
import { makeChannel, makeToken, uniqueName } from './support/make.ts'
import { test } from './support/site.ts'

/** What is pressed and then goes away, or can be pressed no longer, leaves the focus near where it was. */
test('at the last page the focus stays in the pager', async ({ page, member, enterAs }) => {
  for (let made = 0; made < 11; made += 1) await makeToken(member)
  await enterAs(member)
  await page.goto('/token')
  await pressOn(page, page.getByRole('button', { name: 'Next page' }))
  await expect(page.getByRole('button', { name: 'Page 2' })).toBeFocused()
  await pressOn(page, page.getByRole('button', { name: 'Previous page' }))
  await expect(page.getByRole('button', { name: 'Page 1' })).toBeFocused()
})

test('a chip that is taken away gives the focus to the next one, the last to "Add filter"', async ({
  page,
  root,
  enterAs,
}) => {
  await enterAs(root)
  await page.goto('/log?token_name=ci&model_name=gpt-4o')
  await pressOn(page, page.getByRole('button', { name: 'Remove the filter Model gpt-4o' }))
  const last = page.getByRole('button', { name: 'Remove the filter Token ci' })
  await expect(last).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(last).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add filter' })).toBeFocused()
})

test('a notice that is dismissed gives the focus to the title', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/channel')
  await pressOn(page, page.getByRole('button', { name: 'Dismiss this notice' }))
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeFocused()
})

test('the total that was asked for gives the focus to its refresh', async ({ page, root, enterAs }) => {
  await enterAs(root)
  await page.goto('/log')
  await pressOn(page, page.getByRole('button', { name: 'Click to view' }))
  await expect(page.getByRole('button', { name: 'Refresh the total' })).toBeFocused()
})

test('a button keeps the focus while it works, and is not pressed twice', async ({ page, root, enterAs }) => {
  await makeChannel(root)
  const team = await root.call(teamsApi.create, { name: uniqueName('Team ') })
  await enterAs(root)
  const places = [
    { path: '/channel', name: 'Test all', asks: /\/api\/channel\/test\b(?!_)/ },
    { path: `/team/${team.id}`, name: 'Save changes', asks: /\/api\/team\/$/ },
  ]
  for (const { path, name, asks } of places) {
    await page.goto(path)
    const button = page.getByRole('button', { name, exact: true })
    const release = await hold(page, asks)
    const asked: string[] = []
    page.on('request', (request) => {
      if (asks.test(request.url())) asked.push(request.method())
    })
    await pressOn(page, button)
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Enter')
    release()
    await expect(button).not.toHaveAttribute('aria-disabled')
    await expect(button).toBeFocused()
    expect(asked).toHaveLength(1)
    page.removeAllListeners('request')
  }
})

test('presses that wait in line behind each other send a form once', async ({ page, member, enterAs }) => {
  await enterAs(member)
  await page.goto('/team')
  await page.getByLabel('Team name').fill(uniqueName('Team '))
  await page.getByRole('button', { name: 'Create a team' }).evaluate(async (button: HTMLElement) => {
    button.click()
    for (let step = 0; step < 100; step += 1) await null
    button.click()
  })
  await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible()
  expect((await member.call(teamsApi.list, {})).list).toHaveLength(1)
})

for (const [path, label, text, address] of [
  ['/history', 'Search by name or ID', 'gpt', 'target=gpt'],
  ['/channel', 'Model name', 'gpt', 'model=gpt'],
  ['/routing?model=gpt-4o', 'Prompt tokens', '1000', 'prompt=1000'],
] as const) {
  test(`what is looked for with Enter on ${path} leaves the focus in its field`, async ({ page, root, enterAs }) => {
    await makeChannel(root)
    await enterAs(root)
    await page.goto(path)
    const field = page.getByRole('main').getByRole('textbox', { name: label })
    await field.fill(text)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(address))
    await expect(field).toBeFocused()
  })
}

test('a filter that was set before does not take the focus to the total that was asked for then', async ({
  page,
  member,
  enterAs,
}) => {
  await enterAs(member)
  await page.goto('/log?start_timestamp=0')
  const view = page.getByRole('button', { name: 'Click to view' })
  await view.click()
  await expect(page.getByRole('button', { name: 'Refresh the total' })).toBeFocused()
  const type = page.getByRole('main').getByLabel('Type', { exact: true })
  await type.focus()
  for (const value of ['2', '0']) {
    await type.selectOption(value)
    await expect(view).toBeVisible()
    await expect(type).toBeFocused()
  }
})
