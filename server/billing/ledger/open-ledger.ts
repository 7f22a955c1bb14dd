import type { AnyDatabase } from '#server/db/database.ts'
import { groupCommit } from './group-commit.ts'
import type { Ledger } from './ledger.ts'
import { postgresCommit } from './postgres-commit.ts'
import { sqliteLedger } from './sqlite-ledger.ts'

export const openLedger = (database: AnyDatabase, nodeId: string): Ledger =>
  database.engine === 'sqlite' ? sqliteLedger(database) : groupCommit(postgresCommit(database, nodeId))
