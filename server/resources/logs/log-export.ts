import { type Context, epochSeconds } from '#server/context.ts'
import { daySeconds } from '#server/db/logs/log-totals.ts'
import { csvLine } from '#server/lib/csv.ts'
import { Log } from '#shared/api/logs.ts'
import type { LogSelection } from './log-filter.ts'
import { present, withoutChannels } from './logs.service.ts'
import { extent, type LogRow, type Place, rowsBefore } from './logs.store.ts'

const rowsPerStep = 500

/**
 * Rows newest first, some at a time and each step a statement of its own: however many there are, little is in memory and
 * nobody waits for long. Day by day, so that a step never looks through more than one day for what is rare.
 */
async function* selectedRows(ctx: Context, selection: LogSelection): AsyncGenerator<LogRow[]> {
  const { db } = ctx.database
  const ends = await extent(db)
  if (!ends) return
  const from = Math.max(selection.from, ends.first)
  let to = Math.min(selection.to, ends.last + 1)
  while (from < to) {
    const start = Math.max(from, (Math.ceil(to / daySeconds) - 1) * daySeconds)
    let before: Place | null = null
    for (;;) {
      const rows: LogRow[] = await rowsBefore(db, selection, { from: start, to, before, take: rowsPerStep })
      if (rows.length > 0) yield rows
      before = rows.at(-1) ?? null
      if (rows.length < rowsPerStep) break
    }
    to = start
  }
}

const names = Object.keys(Log.shape) as (keyof Log)[]
const ownNames = names.filter((name) => name !== 'cost')

const csvValue = (value: Log[keyof Log] | undefined) =>
  value === undefined ? null : typeof value === 'object' && value !== null ? JSON.stringify(value) : value

const media = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const

/** A file of any size, written while it is read. Users get what they see in their own log. */
export function exportLog(
  ctx: Context,
  selection: LogSelection | null,
  format: keyof typeof media,
  whose: 'everything' | 'own',
): Response {
  const columns = whose === 'own' ? ownNames : names
  const line = (row: LogRow): string => {
    const log = whose === 'own' ? withoutChannels(present(row)) : present(row)
    if (format === 'csv') return csvLine(columns.map((name) => csvValue(log[name])))
    return `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, log[name]])))}\n`
  }
  const batches = selection ? selectedRows(ctx, selection) : null
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (format === 'csv') controller.enqueue(encoder.encode(csvLine(columns)))
      },
      async pull(controller) {
        const next = await batches?.next()
        if (!next || next.done) controller.close()
        else controller.enqueue(encoder.encode(next.value.map(line).join('')))
      },
      async cancel() {
        await batches?.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
  const date = new Date(epochSeconds(ctx) * 1000).toISOString().slice(0, 10)
  return new Response(body, {
    headers: {
      'content-type': media[format],
      'content-disposition': `attachment; filename="log-${date}.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
