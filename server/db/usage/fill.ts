import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { addStored, type Cell, type StoredCell } from './cells.ts'
import { hourSeconds, people, quarterSeconds, type RollupSpan, type Shape, shapes } from './shapes.ts'
import { slotCells } from './slot-cells.ts'
import { addCells, isTimes, measuresOf, shortenLong, timesTogether } from './store.ts'

type DetailRow = StoredCell & Cell & { slot: number }

const rowsOfDay = async (tx: Tx, span: RollupSpan, day: number): Promise<DetailRow[]> =>
  (
    await sql<DetailRow>`
    select * from usage_details where span = ${sql.lit(span)} and slot >= ${day} and slot < ${day + daySeconds}`.execute(
      tx,
    )
  ).rows

const first: readonly string[] = ['usage_details', 'usage_routes']

/** Adds what stands in the roll-ups that keep everything apart to those that were made later, which was before attempts were counted. */
export async function fillShortTables(tx: Tx): Promise<void> {
  const later = shapes
    .filter(({ table }) => !first.includes(table))
    .map((shape) => ({ ...shape, lacksAttempts: true as const }))
  const { rows } = await sql<{ slot: number }>`
    select distinct slot from usage_details where span = ${sql.lit(daySeconds)} order by slot`.execute(tx)
  for (const { slot: day } of rows) {
    const days = await rowsOfDay(tx, daySeconds, day)
    const quarters = await rowsOfDay(tx, quarterSeconds, day)
    for (const shape of later) {
      for (const span of shape.spans) {
        const cells = slotCells(shape, span)
        for (const row of span >= daySeconds ? days : quarters)
          addStored(cells.of(row, row.slot), { ...row, rescued: 0, try_times: '', late_times: '' })
        await addCells(tx, shape, span, cells.all())
      }
    }
  }
}

/**
 * Makes the hours of people anew from the quarter hours that keep everything apart, a day at a time. The caller holds the mark, so that
 * nobody adds to either meanwhile.
 */
export async function fillHoursOfPeople(tx: Tx, shape: Shape = people): Promise<void> {
  await sql`delete from usage_people where span = ${sql.lit(hourSeconds)}`.execute(tx)
  const { rows } = await sql<{ slot: number }>`
    select distinct slot from usage_people where span = ${sql.lit(daySeconds)} order by slot`.execute(tx)
  for (const { slot } of rows) await fillHoursOfDay(tx, slot, shape)
}

/** The days from a time on whose hours of people lack requests: they were added by a version that keeps no hours. */
export async function daysWithoutHours(db: Db | Tx, from: number): Promise<number[]> {
  const { rows } = await sql<{ day: number }>`
    select slot - slot % ${sql.lit(daySeconds)} as day from usage_people
    where span in (${sql.lit(hourSeconds)}, ${sql.lit(daySeconds)}) and slot >= ${from}
    group by day having sum(case when span = ${sql.lit(daySeconds)} then requests else -requests end) <> 0
    order by day`.execute(db)
  return rows.map(({ day }) => day)
}

/** Makes the hours of these days anew. The caller holds the mark. */
export async function refillHours(tx: Tx, days: readonly number[]): Promise<void> {
  for (const day of days) {
    await sql`delete from usage_people where span = ${sql.lit(hourSeconds)}
      and slot >= ${day} and slot < ${day + daySeconds}`.execute(tx)
    await fillHoursOfDay(tx, day, people)
  }
}

async function fillHoursOfDay(tx: Tx, day: number, shape: Shape): Promise<void> {
  const hour = sql`slot - slot % ${sql.lit(hourSeconds)}`
  const keys = sql.join(shape.keys.map((key) => sql.ref(key)))
  const names = sql.join(measuresOf(shape).map((each) => sql.ref(each)))
  const together = measuresOf(shape).map((name) =>
    isTimes(name) ? timesTogether(tx, name) : sql`sum(${sql.ref(name)})`,
  )
  await sql`
    insert into usage_people (span, slot, ${keys}, ${names})
    select ${sql.lit(hourSeconds)}, ${hour}, ${keys}, ${sql.join(together)}
    from usage_details where span = ${sql.lit(quarterSeconds)} and slot >= ${day} and slot < ${day + daySeconds}
    group by ${hour}, ${keys}`.execute(tx)
  await shortenLong(tx, shape, hourSeconds, { from: day, to: day + daySeconds })
}
