import { expect, test } from 'bun:test'
import { startTestApp } from '#server/testing/test-app.ts'

test('a node that is asked to stop lives and is not ready, so that no balancer sends it more', async () => {
  const app = await startTestApp()
  const statusOf = async (path: string) => (await fetch(app.url + path)).status
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 200])
  app.leave()
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503])
  await app.stop()
})
