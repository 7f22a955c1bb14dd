import { type Context, epochSeconds } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { daySeconds } from '#server/db/logs/log-totals.ts'
import { Log } from '#shared/api/logs.ts'
import { csvLine } from '#shared/csv.ts'
import type { LogSelection } from './log-filter.ts'
import { extent, type LogRow, type Place, rowsBefore } from './logs.store.ts'

const rowsPerStep = 100

/**
 * Rows newest first, some at a time and each step a statement of its own: however many there are, little is in memory and
 * nobody waits for long. Day by day, so that a step never looks through more than one day for what is rare.
 */
async function* selectedRows(db: Db, selection: LogSelection): AsyncGenerator<LogRow[]> {
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
      // A file answers at once: without this a long export would be one long turn, in which nobody else is served.
      await new Promise((resolve) => setImmediate(resolve))
    }
    to = start
  }
}

const names = Object.keys(Log.shape) as (keyof Log)[]
const ownNames = names.filter((name) => name !== 'cost')

/** Columns that hold JSON already; they are written as they stand. */
const jsonIn: Partial<Record<keyof Log, (row: LogRow) => string>> = {
  tried: ({ tried }) => `[${tried}]`,
  detail: ({ detail }) => detail || '{}',
}

/** What everybody but administrators gets in place of what is stored. */
const hidden: Partial<Record<keyof Log, number | string>> = { channel: 0, tried: '[]' }

type Plain = Exclude<keyof Log, 'tried' | 'detail' | 'is_stream'>

function cellOf(row: LogRow, name: keyof Log, hides: boolean): string | number | boolean | null {
  const instead = hides ? hidden[name] : undefined
  if (instead !== undefined) return instead
  if (name === 'is_stream') return row.is_stream === 1
  return jsonIn[name]?.(row) ?? row[name as Plain] ?? null
}

/** Rows become text one by one, and nothing else is made of them: a million leave little behind. */
const writers = {
  csv: (row: LogRow, columns: readonly (keyof Log)[], hides: boolean) =>
    csvLine(columns.map((name) => cellOf(row, name, hides))),
  jsonl(row: LogRow, columns: readonly (keyof Log)[], hides: boolean) {
    let line = ''
    for (const name of columns) {
      const value = cellOf(row, name, hides)
      line += `${line === '' ? '{' : ','}"${name}":${jsonIn[name] ? value : JSON.stringify(value)}`
    }
    return `${line}}\n`
  },
}

const media = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const

/** A file of any size, written while it is read. Users get what they see in their own log. */
export function exportLog(
  ctx: Context,
  selection: LogSelection | null,
  format: keyof typeof media,
  whose: 'everything' | 'own',
): Response {
  const columns = whose === 'own' ? ownNames : names
  const line = (row: LogRow): string => writers[format](row, columns, whose === 'own')
  const batches = selection ? selectedRows(ctx.database.reader(), selection) : null
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
