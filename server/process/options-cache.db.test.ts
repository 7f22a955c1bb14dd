import { spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { eventually } from '#server/testing/eventually.ts'

test('a change that could not be read at once is read as soon as it can be', async () => {
  const app = await borrowApp()
  const { database, changes, log } = app.ctx
  const { db } = database
  const failed = Promise.withResolvers<void>()
  const error = spyOn(log, 'error').mockImplementation((message) => {
    if (message === 'options could not be read again') failed.resolve()
  })
  await db.insertInto('options').values({ key: 'SystemName', value: 'changed meanwhile' }).execute()
  await sql`alter table options rename to options_out_of_reach`.execute(db)
  changes.emit({ topic: 'options' })
  await failed.promise
  await sql`alter table options_out_of_reach rename to options`.execute(db)
  await eventually(
    () => app.ctx.options().SystemName,
    (name) => name === 'changed meanwhile',
    4000,
  )
  error.mockRestore()
  await app.stop()
})
