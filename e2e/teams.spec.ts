import { expect, type Page } from '@playwright/test'
import { teamsApi } from '#shared/api/teams.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { type ApiClient, logIn } from './support/api-client.ts'
import { choose, expectAccessible, expectNoSideways } from './support/axe.ts'
import { makeUser, uniqueName } from './support/make.ts'
import { makeSpender, startUpstream } from './support/relay.ts'
import { desktop, phone, test } from './support/site.ts'
import { type TeamWords, teamWords } from './support/team-words.ts'

/** A request of a token of this team, through a provider that answers. */
async function spend(root: ApiClient, member: ApiClient, url: string, team_id: number): Promise<void> {
  const upstream = await startUpstream(root, ['gpt-4o'])
  const [token] = (await member.call(tokensApi.list, { team_id })).list
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token?.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
  await upstream.stop()
}

/** What someone of the team does on its page, in the words of a language. */
const pageOfTeam = (page: Page, words: TeamWords) => ({
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  title: (name: string) => page.getByRole('heading', { level: 1, name }),
  figure: (name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd'),
  confirm: (verb: string) => page.getByRole('alertdialog').getByRole('button', { name: verb }).click(),
  empty: page.getByText(words.empty),
})

for (const [language, size] of [
  ['en', desktop],
  ['zh', phone],
] as const) {
  test(`the life of a team, at ${size.width} in ${language}: create, invite, join, top up, budgets, spend, see it, remove, delete`, async ({
    page,
    root,
    server,
    enterAs,
  }) => {
    test.slow()
    const words = teamWords[language]
    const owner = await makeSpender(root, server.url)
    const { username, password } = await makeUser(root)
    const member = await logIn(server.url, username, password)
    const name = uniqueName('Atlas')
    const { button, title, figure, confirm, empty } = pageOfTeam(page, words)
    await page.setViewportSize(size)
    await choose(page, { language })

    await enterAs(owner)
    await page.goto('/team')
    await expect(empty).toBeVisible()
    await page.getByRole('textbox', { name: words.name }).fill(name)
    await button(words.create).click()
    await expect(title(name)).toBeVisible()
    await button(words.invite).click()
    await button(words.makeLink).click()
    const link = await page.getByLabel(words.inviteLink).inputValue()
    await page.keyboard.press('Escape')
    await button(words.topUp).click()
    await page.getByLabel(words.transferAmount).fill('1000000')
    await button(words.transfer).click()
    await expect(figure(words.balance).first()).toContainText('$2.00')

    await enterAs(member)
    await page.goto(link)
    await button(words.join).click()
    await expect(title(name)).toBeVisible()
    await page.getByRole('link', { name: words.addToken }).click()
    await page.getByRole('textbox', { name: words.tokenName, exact: true }).fill('drafts')
    await button(words.submitToken).click()
    await expect(page.getByText('drafts').first()).toBeVisible()

    await enterAs(owner)
    const id = (await owner.call(teamsApi.list, {})).list[0]?.id ?? 0
    await page.goto(`/team/${id}`)
    const budget = page.getByLabel(words.budgetOf.replace('{{name}}', username))
    await budget.fill('1.40')
    await budget.press('Enter')
    await expect
      .poll(async () => (await owner.call(teamsApi.get, { id })).members.find((it) => it.username === username)?.budget)
      .toBe(700_000)
    await spend(root, member, server.url, id)
    await page.reload()
    await expect(figure(words.requests).first()).toHaveText('1')
    await expect(page.getByText('drafts')).toBeVisible()
    if (size === desktop)
      await expect(page.getByRole('row', { name: username }).getByRole('cell').nth(4)).toHaveText('1')
    await expectNoSideways(page)
    await expectAccessible(page)

    await page.goto('/log')
    await page.getByRole('banner').getByRole('button', { name: words.personal }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(page.getByText('gpt-4o').first()).toBeVisible()
    await page.goto('/')
    await expect(page.getByRole('banner').getByRole('button', { name })).toBeVisible()
    await expect(page.getByText('drafts').first()).toBeVisible()
    await expectNoSideways(page)
    await page.goto('/token')
    await expect(page.getByText('drafts')).toBeVisible()

    await page.goto(`/team/${id}`)
    if (size === phone) {
      await page.getByRole('button', { name: new RegExp(username) }).click()
      await page.getByRole('menuitem', { name: words.remove }).click()
    } else await button(`${words.remove} ${username}`).click()
    await confirm(words.remove)
    await expect(page.getByText('drafts')).toBeHidden()
    await button(words.delete).click()
    await confirm(words.confirmDelete)
    await expect(empty).toBeVisible()
    await expect(page.getByRole('banner').getByText(words.personal)).toBeVisible()
  })
}

test('half-typed settings of a team outlive what it spends meanwhile, move no money, and ask before they are left', async ({
  page,
  root,
  enterAs,
}) => {
  const { id } = await root.call(teamsApi.create, { name: uniqueName('Team ') })
  await enterAs(root)
  await page.goto(`/team/${id}`)
  const name = page.getByLabel('Team name')
  await name.fill('Half typed')
  await root.call(teamsApi.update, { id, quota: 1_000_000 })
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.keyboard.press('Escape')
  await expect(page.locator('dl').getByText('$2.00')).toBeVisible()
  await expect(name).toHaveValue('Half typed')
  await page.getByRole('link', { name: 'Channels' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Half typed' })).toBeVisible()
  await expect(page.getByLabel('Team balance')).toHaveValue('1,000,000')
  expect(await root.call(teamsApi.get, { id })).toMatchObject({ name: 'Half typed', quota: 1_000_000 })
  await page.getByRole('link', { name: 'Channels' }).click()
  await expect(page).toHaveURL(/\/channel$/)
})

test('the name of a team is a target of 24 px in the colour of links', async ({ page, root, enterAs }) => {
  const { name } = await root.call(teamsApi.create, { name: uniqueName('Team ') })
  await enterAs(root)
  await page.goto('/team')
  const link = page.getByRole('link', { name })
  await expect(link).toHaveCSS('color', 'rgb(0, 106, 131)')
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24)
})

test('an administrator sees all teams or the own ones, each time the box is pressed', async ({
  page,
  root,
  member,
  enterAs,
}) => {
  const { name } = await member.call(teamsApi.create, { name: uniqueName('Hidden ') })
  await enterAs(root)
  await page.goto('/team')
  const link = page.getByRole('link', { name })
  const all = page.getByRole('checkbox', { name: 'All teams' })
  await all.check()
  await expect(link).toBeVisible()
  await all.uncheck()
  await expect(link).toHaveCount(0)
})

test('teams are searched by name, and the address keeps the search and whose they are', { tag: '@smoke' }, async ({
  page,
  root,
  member,
  enterAs,
}) => {
  const prefix = uniqueName('Sought ')
  const found = await member.call(teamsApi.create, { name: `${prefix} a` })
  const other = await root.call(teamsApi.create, { name: uniqueName('Beside ') })
  await enterAs(root)
  await page.goto('/team')
  const search = page.getByRole('textbox', { name: 'Search by name' })
  await search.fill(found.name)
  await search.press('Enter')
  await expect(page.getByText(`Nothing matches “${found.name}”`)).toBeVisible()
  await page.getByRole('checkbox', { name: 'All teams' }).check()
  await expect(page.getByRole('link', { name: found.name })).toBeVisible()
  await expect(page.getByRole('link', { name: other.name })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('link', { name: found.name })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'All teams' })).toBeChecked()
  await expect(search).toHaveValue(found.name)
  await page.getByRole('search').getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByRole('link', { name: other.name })).toBeVisible()
})

test('a budget of a team that is emptied is none', async ({ page, member, enterAs }) => {
  const { id } = await member.call(teamsApi.create, { name: uniqueName('Team ') })
  await member.call(teamsApi.update, { id, budget: 5000 })
  await enterAs(member)
  await page.goto(`/team/${id}`)
  const settings = page.getByRole('region', { name: 'Team settings' })
  await settings.getByLabel('Budget', { exact: true }).fill('')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await member.call(teamsApi.get, { id })).budget).toBe(0)
})
