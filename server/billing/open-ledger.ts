import type { AnyDatabase } from '#server/db/database.ts'
import { groupCommit } from './group-commit.ts'
import type { Ledger } from './ledger.ts'
import { postgresCommit } from './postgres-commit.ts'
import { sqliteCommit } from './sqlite-commit.ts'

export const openLedger = (database: AnyDatabase, nodeId: string): Ledger =>
  groupCommit(database.engine === 'sqlite' ? sqliteCommit(database, nodeId) : postgresCommit(database, nodeId))
