import { expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { openDatabase } from '#server/db/database.ts'
import { deltaFrame, eventStream } from '#server/testing/fake-upstream.ts'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'

test('a stream that is cut because the node stops is paid before the node is gone', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const scene = await startRelayScene({ databaseUrl })
  await scene.channel(eventStream(deltaFrame('hello'), 60_000))
  const reader = (await scene.chat({ stream: true })).body?.getReader()
  await reader?.read()
  await scene.stop()
  const database = openDatabase(databaseUrl)
  const rows = await database.db.selectFrom('logs').select(['outcome', 'quota']).where('type', '=', 2).execute()
  expect(rows).toEqual([{ outcome: 'cut', quota: 12 }])
  expect(await reconcile(database.db)).toEqual([])
  await database.close()
})
