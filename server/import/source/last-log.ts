import { numberIn, type Source } from './source.ts'

/** A row gets its number before others see it: where several are written at once, one may come after the next. */
const settledAfterSeconds = 10

const parts = (logs: Source): string[] => ['id', 'created_at', 'logs'].map((name) => logs.quote(name))

/** Where log rows lie, up to which they are taken while the program writes more, and when it has stopped. */
export const lastLogs = (logs: Source) => ({
  lastLog(): Promise<number> {
    const [id, , table] = parts(logs)
    return numberIn(logs, `select max(${id}) from ${table}`)
  },
  async settledLog(): Promise<number> {
    const [id, at, table] = parts(logs)
    const newest = await numberIn(logs, `select ${at} from ${table} order by ${id} desc limit 1`)
    const settled = `${at} <= ${Math.trunc(newest) - settledAfterSeconds}`
    return numberIn(logs, `select ${id} from ${table} where ${settled} order by ${id} desc limit 1`)
  },
})
