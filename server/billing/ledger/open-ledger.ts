import type { Context } from '#server/context.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import type { Ledger } from './ledger.ts'
import { postgresLedger } from './postgres/postgres-commit.ts'
import { sqliteLedger } from './sqlite/sqlite-ledger.ts'

type Node = Pick<Context, 'database' | 'nodeId' | 'log'>

export const openLedger = ({ database, nodeId, log }: Node, periodOf: PeriodOf): Ledger =>
  database.engine === 'sqlite' ? sqliteLedger(database, periodOf, log) : postgresLedger(database, nodeId, periodOf)
