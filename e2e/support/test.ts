import { test as base, type Page } from '@playwright/test'
import { type ApiClient, logIn } from './api-client.ts'
import { type RunningServer, rootPassword, startServer } from './running-server.ts'
import { startThirdParties, type ThirdParties } from './third-parties.ts'

interface PerWorker {
  /** Doubles of GitHub, WeChat, Turnstile and the release list; the server talks to these. */
  thirdParties: ThirdParties
  /** A server of this worker's own; its data lasts as long as the worker. */
  server: RunningServer
  /** The first account, through the API. */
  root: ApiClient
}

interface PerTest {
  /** Puts a session made through the API into the browser, as if its user had logged in there. */
  enterAs: (client: ApiClient, page?: Page) => Promise<void>
}

export const test = base.extend<PerTest, PerWorker>({
  thirdParties: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from the pattern
    async ({}, use) => {
      const parties = await startThirdParties()
      await use(parties)
      await parties.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ thirdParties }, use) => {
      const server = await startServer(thirdParties.env)
      thirdParties.returnTo = server.url
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  root: [async ({ server }, use) => use(await logIn(server.url, 'root', rootPassword)), { scope: 'worker' }],
  baseURL: ({ server }, use) => use(server.url),
  enterAs: async ({ page: own, server }, use) => {
    await use(async (client, page = own) => {
      await page.context().addCookies([{ ...client.session, url: server.url }])
      // Once only, so that logging out lasts.
      await page.addInitScript((user) => {
        if (sessionStorage.getItem('entered') === null) localStorage.setItem('user', user)
        sessionStorage.setItem('entered', 'true')
      }, JSON.stringify(client.user))
    })
  },
})
