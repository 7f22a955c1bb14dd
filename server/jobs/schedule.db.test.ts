import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { startJobs } from './schedule.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
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

test('what the leader does for all is left alone by the others', async () => {
  let leads = false
  const ledWhenRun = Promise.withResolvers<boolean>()
  let turns = 0
  const jobs = startJobs(
    app.ctx,
    [
      { name: 'for all', everyMs: 1, leader: true, run: async () => ledWhenRun.resolve(leads) },
      {
        name: 'for each',
        everyMs: 1,
        run: async () => {
          turns += 1
          if (turns === 5) leads = true
        },
      },
    ],
    () => leads,
  )
  expect(await ledWhenRun.promise).toBe(true)
  await jobs.stop()
})
