import type pg from 'pg'

/** Connections on which a statement may have a name, so that it is read and planned once. */
const direct = new WeakSet<object>()

/**
 * Behind a pooler the process that answers is not the one that greeted: names and settings would stay with a connection of somebody
 * else. Where it is the same, statements may have names. Their plans are made once, for any values, and always go by an index: a
 * table that is empty now is not for long. Sent before anything else is.
 */
export async function allowNames(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),
       set_config('jit', 'off', false) where pg_backend_pid() = $1`,
    [backendPidOf(client)],
  )
  if (rows.length > 0) direct.add(client)
}

/** The backend process a connection was opened to; 0 when unknown. */
export const backendPidOf = (client: pg.ClientBase): number =>
  (client as pg.ClientBase & { readonly processID?: number | null }).processID ?? 0

const names = new Map<string, string>()

/** Gives a statement with parameters its name, where it may have one. */
export function prepared<Question extends { readonly text: string; readonly values?: unknown[] | undefined }>(
  client: pg.ClientBase,
  question: Question,
): Question & { readonly name?: string } {
  if (question.values === undefined || !direct.has(client)) return question
  const { text } = question
  const name = names.get(text) ?? `switchyard_${names.size}`
  names.set(text, name)
  return { ...question, name }
}

/** The connection does not know the statement any more, or the tables have changed under it: to be said anew on another. */
export const isStaleStatement = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '0A000')
