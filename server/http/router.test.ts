import { expect, test } from 'bun:test'
import { startTestApp } from '#server/testing/test-app.ts'

test('an address of the API that nobody serves is refused in the envelope, also the bare one', async () => {
  const app = await startTestApp()
  for (const path of ['/api', '/api/', '/api/nothing', '/api/nothing/']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const refused = await fetch(app.url + path, { method })
      const message = `Invalid URL (${method} ${path})`
      expect([refused.status, await refused.json()]).toEqual([
        404,
        expect.objectContaining({ success: false, message }),
      ])
    }
  }
  await app.stop()
})
