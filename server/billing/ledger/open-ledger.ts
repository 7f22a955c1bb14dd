import type { AnyDatabase } from '#server/db/database.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import type { Ledger } from './ledger.ts'
import { postgresLedger } from './postgres/postgres-commit.ts'
import { sqliteLedger } from './sqlite/sqlite-ledger.ts'

export const openLedger = (database: AnyDatabase, nodeId: string, periodOf: PeriodOf): Ledger =>
  database.engine === 'sqlite' ? sqliteLedger(database, periodOf) : postgresLedger(database, nodeId, periodOf)
