import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openDatabase } from '#server/db/database.ts'
import { readDatabaseAddress } from './database-address.ts'

describe('an address with several hosts', () => {
  test('is one ordinary address a host, and wants one that takes writes', () => {
    expect(readDatabaseAddress('postgres://u:p@h1:1,h2:2/db?target_session_attrs=read-write&sslmode=require')).toEqual({
      urls: ['postgres://u:p@h1:1/db?sslmode=require', 'postgres://u:p@h2:2/db?sslmode=require'],
      readWrite: true,
    })
    expect(readDatabaseAddress('postgres://h1,h2/db')?.readWrite).toBe(true)
  })

  test('may be one host, with nothing asked of it', () => {
    const url = 'postgresql://user@[::1]:5433/db'
    expect(readDatabaseAddress(url)).toEqual({ urls: [url], readWrite: false })
  })

  test.each([
    'mysql://h/db',
    'postgres:/h/db',
    'postgres://h1,h2/db?target_session_attrs=standby',
    'postgres://h:port/db',
    'postgres://h1:5432,h2:65536/db',
    'postgres://::1/db',
  ])('is refused as %s', (url) => expect(readDatabaseAddress(url)).toBeNull())

  test.each(['postgres:///db', 'postgres://u@/db?host=/run/postgresql', 'postgres://%2Frun%2Fpostgresql/db'])(
    'may name no host, or a socket, as %s',
    (url) => expect(readDatabaseAddress(url)?.urls).toHaveLength(1),
  )
})

const real = process.env.TEST_POSTGRES_URL
const nobodyListens = '127.0.0.1:1'

describe.skipIf(!real)('a database whose first host is dead', () => {
  test('is found on the second', async () => {
    const url = new URL(real ?? '')
    const login = url.username === '' ? '' : `${url.username}${url.password && `:${url.password}`}@`
    const both = `postgres://${login}${nobodyListens},${url.host}${url.pathname}${url.search}`
    const database = openDatabase(both)
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db)
    expect(rows).toEqual([{ one: 1 }])
    await database.close()
  })

  test('says so when no host answers', async () => {
    const database = openDatabase(`postgres://u@${nobodyListens},${nobodyListens}/db`)
    await expect(sql`select 1`.execute(database.db)).rejects.toThrow('no host of DATABASE_URL takes writes')
    await database.close()
  })
})
