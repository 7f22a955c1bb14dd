import type { Page } from '@playwright/test'
import { optionsApi } from '#shared/api/options.ts'
import { type ApiClient, logIn } from './api-client.ts'
import { makeUser, uniqueName } from './make.ts'
import { test as base } from './test.ts'

interface Site {
  /** Sets options through the API; they are as before after the test. Secrets stay. */
  setOptions: (values: Record<string, string>) => Promise<void>
  /** An ordinary user of this test's own. */
  member: ApiClient
  /** The name of a visitor nobody has seen before; GitHub vouches for him during the test. */
  githubVisitor: string
}

/** Tests of screens that the operator's options shape. */
export const test = base.extend<Site>({
  setOptions: async ({ root }, use) => {
    const before = new Map((await root.call(optionsApi.list, {})).map(({ key, value }) => [key, value]))
    const changed: string[] = []
    await use(async (values) => {
      for (const [key, value] of Object.entries(values)) {
        await root.call(optionsApi.update, { key, value })
        changed.unshift(key)
      }
    })
    // Backwards: a switch goes off before the address it needs is taken away.
    for (const key of new Set(changed)) {
      const value = before.get(key)
      if (value !== undefined) await root.call(optionsApi.update, { key, value })
    }
  },
  member: async ({ root, server }, use) => {
    const { username, password } = await makeUser(root)
    await use(await logIn(server.url, username, password))
  },
  githubVisitor: async ({ thirdParties }, use) => {
    const login = uniqueName('octo')
    const before = thirdParties.githubUser
    const id = Number(login.replace(/\D/g, ''))
    thirdParties.githubUser = { id, login, name: login, email: `${login}@example.com` }
    await use(login)
    thirdParties.githubUser = before
  },
})

/** The toasts of a kind that are on the screen. */
export const toasts = (page: Page, kind: 'success' | 'info' | 'warning' | 'error' | 'notice') =>
  page.locator(`[data-kind="${kind}"]`)

export const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key)

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }
