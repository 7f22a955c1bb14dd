import type { PostgresDatabase } from '#server/db/database.ts'

/** The same database; writes down what the ledger asks it. */
export const watchedDatabase = (database: PostgresDatabase, asked: string[]): PostgresDatabase => ({
  ...database,
  ledgerPool: new Proxy(database.ledgerPool, {
    get(pool, name) {
      if (name !== 'connect') return Reflect.get(pool, name)
      return async () => {
        const client = await pool.connect()
        return new Proxy(client, {
          get(target, part) {
            if (part === 'query') {
              return (question: { text: string }) => {
                asked.push(question.text)
                return target.query(question)
              }
            }
            const value = Reflect.get(target, part)
            return typeof value === 'function' ? value.bind(target) : value
          },
        })
      }
    },
  }),
})
