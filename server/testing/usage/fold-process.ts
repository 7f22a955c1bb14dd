/** Adds the log to the roll-ups, a few rows a step, until it is done or killed: `bun fold-process.ts <database>`. */
import { openDatabase } from '#server/db/database.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'

const database = openDatabase(process.argv[2] ?? '')
console.log('folding')
await foldLogs({ database }, { leastRows: 3, mostRows: 6, stepMs: 0 })
await database.close()
