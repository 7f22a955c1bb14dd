import { expect } from '@playwright/test'
import { makeChannel } from './support/make.ts'
import { test } from './support/site.ts'

test('a visitor is led from the models to the login and back, and nothing that is known to be refused is asked', async ({
  page,
  member,
  enterAs,
}) => {
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  await page.goto('/model?vendor=OpenAI')
  await expect(page).toHaveURL(/\/login/)
  await page.waitForLoadState('networkidle')
  expect(refused).toEqual([])
  await enterAs(member)
  await page.goto('/model?vendor=OpenAI')
  await expect(page.getByRole('heading', { name: 'Models' })).toBeVisible()
})

test('a visitor sees the models from the moment the operator shows them', async ({ page, root, setOptions }) => {
  await makeChannel(root, { models: 'gpt-4.1' })
  await page.goto('/model')
  await expect(page).toHaveURL(/\/login/)
  await setOptions({ ModelPagePublic: 'true' })
  await page.goto('/model')
  await expect(page.getByRole('button', { name: 'Show gpt-4.1', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/model$/)
})
