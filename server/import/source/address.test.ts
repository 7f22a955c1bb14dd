import { describe, expect, test } from 'bun:test'
import { noSuchFile, readAddress } from './address.ts'

describe('the address of an old database', () => {
  test('is a file, or that of a server', () => {
    expect(readAddress('/data/one-api.db')).toEqual({ engine: 'sqlite', place: '/data/one-api.db' })
    expect(readAddress('sqlite:///data/one-api.db')).toEqual({ engine: 'sqlite', place: '/data/one-api.db' })
    expect(readAddress('mariadb://u:p@host:3306/old')).toEqual({ engine: 'mysql', place: 'mysql://u:p@host:3306/old' })
    expect(readAddress('postgresql://u:p@host/old')).toEqual({ engine: 'postgres', place: 'postgres://u:p@host/old' })
  })

  test('may be written as the programs write it', () => {
    expect(readAddress('root:p@ss/w:rd@tcp(db:3306)/oneapi?charset=utf8mb4&parseTime=True')).toEqual({
      engine: 'mysql',
      place: 'mysql://root:p%40ss%2Fw%3Ard@db:3306/oneapi',
    })
  })

  test('is refused with what to write, and never repeated', () => {
    for (const [address, reason] of [
      ['oracle://u:secret@host/old', 'oracle:// is no kind of database that is read'],
      ['mysql://u:secret%w@host/old', 'its address is not understood: write mysql://host:port/database'],
      ['mysql://u:secret@host:99999/old', 'its address is not understood'],
      ['postgres://u:secret@host', 'its address names no database'],
      ['mysql://u:secret@host/', 'its address names no database'],
    ] as const) {
      expect(() => readAddress(address)).toThrow(reason)
      expect(() => readAddress(address)).not.toThrow('secret')
    }
  })

  test('is not repeated either when it is taken for a file', () => {
    for (const address of [
      'u:secret@unix(/run/mysqld.sock)/old',
      'u:secret@/old',
      'host=db user=u password=secret dbname=old',
    ]) {
      expect(readAddress(address).engine).toBe('sqlite')
      expect(noSuchFile(address)).toContain('written mysql:// or postgres://host:port/database')
      expect(noSuchFile(address)).not.toContain('secret')
    }
    expect(noSuchFile('/data/old.db')).toBe('there is no file /data/old.db')
  })
})
