import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { isIn, password, person, withTotp } from '#server/testing/identity-scene.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

test('whoever logs in with a password while it is replaced is in no longer', async () => {
  for (let round = 0; round < 6; round += 1) {
    const anna = await person(app)
    const others = Array.from({ length: 6 }, () => app.client())
    const logins = others.map((client) => client.raw(api.auth.login, { username: anna.username, password }))
    await Promise.all([...logins, anna.call(api.account.update, { password: 'another password' })])
    for (const client of others) expect(await isIn(client)).toBe(false)
    expect(await isIn(anna)).toBe(true)
  }
})

test('and has no way left to the second step', async () => {
  for (let round = 0; round < 6; round += 1) {
    const anna = await person(app)
    await withTotp(app, anna)
    const logins = Array.from({ length: 6 }, () =>
      app.client().raw(api.auth.login, { username: anna.username, password }),
    )
    await Promise.all([...logins, anna.call(api.account.update, { password: 'another password' })])
    const tickets = await app.ctx.database.db
      .selectFrom('login_tickets')
      .selectAll()
      .where('user_id', '=', anna.userId)
      .execute()
    expect(tickets).toEqual([])
  }
})

test('several logins at one moment get in, also where the hash is of an older kind', async () => {
  const anna = await person(app)
  const password_hash = await Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })
  await app.ctx.database.db.updateTable('users').set({ password_hash }).where('id', '=', anna.userId).execute()
  const logins = Array.from({ length: 8 }, () =>
    app.client().raw(api.auth.login, { username: anna.username, password }),
  )
  expect((await Promise.all(logins)).map(({ success }) => success)).not.toContain(false)
})
