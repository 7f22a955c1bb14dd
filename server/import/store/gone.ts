import { channelStatus, redemptionStatus, tokenStatus, userStatus } from '#shared/statuses.ts'
import type { ImportRun, Table } from './run.ts'
import type { PageRange } from './walk.ts'

/** The status of a working row, and the one it gets when its original is gone. */
const states = {
  users: [userStatus.activated, userStatus.banned],
  tokens: [tokenStatus.enabled, tokenStatus.disabled],
  channels: [channelStatus.enabled, channelStatus.manuallyDisabled],
  redemptions: [redemptionStatus.unused, redemptionStatus.disabled],
} as const

const rowsAtOnce = 1000

/** Switches off rows whose original was deleted meanwhile: those missing within the ids of this page. Nothing is missing in the first round. */
export async function disableGone(
  run: ImportRun,
  table: Table,
  { after, upTo }: Pick<PageRange<unknown>, 'after' | 'upTo'>,
  living: ReadonlySet<number>,
): Promise<void> {
  if (run.round === '') return
  const [working, off] = states[table]
  for (let last = after; ; ) {
    const rows = await run.tx
      .selectFrom(table)
      .select(['id', 'status'])
      .where('id', '>', last)
      .where('id', '<=', upTo)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    const gone = rows.filter(({ id }) => !living.has(id))
    for (const { id } of gone) run.gone[table].add(id)
    const ids = gone.filter(({ status }) => status === working).map(({ id }) => id)
    if (ids.length > 0) await run.tx.updateTable(table).set({ status: off }).where('id', 'in', ids).execute()
    run.report.count('deleted there', ids.length)
    const end = rows.at(-1)
    if (!end || rows.length < rowsAtOnce) return
    last = end.id
  }
}

/** Which of these users are here, and still there. */
export async function livingUsers({ tx, gone }: ImportRun, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Set()
  const rows = await tx.selectFrom('users').select('id').where('id', 'in', wanted).execute()
  return new Set(rows.map(({ id }) => id).filter((id) => !gone.users.has(id)))
}
