import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { codeOf, person, withTotp } from '#server/testing/identity-scene.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

test('an authenticator app asked for several times at one moment: the last secret counts', async () => {
  const anna = await signIn(app)
  const started = await Promise.all(Array.from({ length: 6 }, () => anna.raw(api.identity.totpStart, {})))
  expect(started.map(({ success }) => success)).not.toContain(false)
  const codes = started.map(({ data }) => codeOf(app, data?.secret ?? ''))
  const answers = []
  for (const code of codes) answers.push(await anna.raw(api.identity.totpConfirm, { code }))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
})

test('recovery codes made anew at one moment are ten, and those of one answer', async () => {
  for (let round = 0; round < 4; round += 1) {
    const anna = await person(app)
    const { recovery } = await withTotp(app, anna)
    await Promise.all(recovery.slice(0, 4).map((code) => anna.raw(api.identity.totpRecovery, { code })))
    expect((await anna.call(api.identity.secondFactor, {})).recovery_codes_left).toBe(10)
  }
})
