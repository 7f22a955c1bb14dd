import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { readConfig } from './config.ts'
import { createContext } from './create-context.ts'

afterEach(() => {
  setSystemTime()
})

const hourMs = 3_600_000

test.skipIf(!onPostgres)('a leap of the machine’s clock changes nothing where the database’s counts', async () => {
  const config = readConfig({ DATABASE_URL: await freshDatabaseUrl(), LOG_LEVEL: 'silent' })
  const { clock, database } = await createContext(config, 'a secret key for tests')
  for (const hours of [1000, -1000]) {
    const before = clock()
    setSystemTime(new Date(Date.now() + hours * hourMs))
    expect(Math.abs(clock() - before)).toBeLessThan(hourMs)
  }
  await database.close()
})
