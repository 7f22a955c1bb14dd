import { describe, expect, test } from 'bun:test'
import { createLogger } from '#server/lib/log.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { type ConnectionUse, keepConnection } from './node-connection.ts'

const log = createLogger('silent')

describe.if(onPostgres)('the connection a node keeps', () => {
  const beats: { when: string; beat: ConnectionUse['beat'] }[] = [
    { when: 'between two signs of life', beat: async () => {} },
    { when: 'while it waits for an answer', beat: (client) => client.query('select pg_sleep(60)').then(() => {}) },
  ]
  test('that cannot be opened stops the start, with the name of the variable that holds its address', async () => {
    const env = { DATABASE_DIRECT_URL: 'postgres://postgres@127.0.0.1:1/nowhere' }
    await expect(startTestApp({ env })).rejects.toThrow('Check the address in DATABASE_DIRECT_URL')
  })

  test.each(beats)('is closed when the node leaves $when', async ({ beat }) => {
    const begun = Promise.withResolvers<void>()
    const happened: string[] = []
    const connection = await keepConnection(
      await freshDatabaseUrl(),
      {
        async opened(client) {
          client.once('end', () => happened.push('closed'))
        },
        beat(client) {
          begun.resolve()
          return beat(client)
        },
        lost: () => void happened.push('lost'),
      },
      log,
    )
    await begun.promise
    await connection.stop()
    expect(happened.sort()).toEqual(['closed', 'lost'])
  })
})
