import type pg from 'pg'

/** Asks PostgreSQL inside the transaction of a batch. */
export type Ask = (text: string, values?: unknown[]) => Promise<pg.QueryResult>
