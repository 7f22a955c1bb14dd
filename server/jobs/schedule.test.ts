import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { startJobs } from './schedule.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

test('a job that throws is run again, and keeps no other from running', async () => {
  let failures = 0
  const bothRan = Promise.withResolvers<void>()
  const jobs = startJobs(app.ctx, [
    {
      name: 'fails',
      everyMs: 1,
      run: async () => {
        failures += 1
        throw new Error('on purpose')
      },
    },
    { name: 'works', everyMs: 1, run: async () => (failures >= 2 ? bothRan.resolve() : undefined) },
  ])
  await bothRan.promise
  await jobs.stop()
  expect(failures).toBeGreaterThanOrEqual(2)
})

test('stopping waits for the job that runs', async () => {
  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  let ended = false
  const jobs = startJobs(app.ctx, [
    {
      name: 'long',
      everyMs: 1,
      run: async () => {
        begun.resolve()
        await mayEnd.promise
        ended = true
      },
    },
  ])
  await begun.promise
  const stopped = jobs.stop()
  mayEnd.resolve()
  await stopped
  expect(ended).toBe(true)
})
