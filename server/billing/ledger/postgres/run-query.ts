import type pg from 'pg'

/** Runs a query inside the transaction of a batch. */
export type RunQuery = (text: string, values?: unknown[]) => Promise<pg.QueryResult>
