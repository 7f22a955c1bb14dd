import { type Context, epochSeconds } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { inReportTurn } from '#server/db/logs/report-turns.ts'
import { toAppError } from '#server/http/errors.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { csvLine } from '#shared/csv.ts'
import type { LogSelection } from './log-filter.ts'
import { columnsFor, createLineReader, type LineFormat, type Lines, type LogPlace, type Whose } from './log-lines.ts'
import { extent } from './logs.store.ts'

const rowsPerStep = 100

interface FileKind {
  readonly format: LineFormat
  readonly whose: Whose
}

/**
 * Rows newest first, some at a time and each step a statement of its own: however many there are, little is in memory and
 * nobody waits for long. Day by day, so that a step never looks through more than one day for what is rare.
 */
async function* selectedLines(db: Db, selection: LogSelection, kind: FileKind): AsyncGenerator<Lines['text']> {
  const ends = await extent(db)
  if (!ends) return
  const read = createLineReader(db, selection, rowsPerStep, kind)
  const from = Math.max(selection.from, ends.first)
  let to = Math.min(selection.to, ends.last + 1)
  while (from < to) {
    const start = Math.max(from, (Math.ceil(to / daySeconds) - 1) * daySeconds)
    let before: LogPlace = { created_at: to, id: 0 }
    for (;;) {
      const lines = await read(start, before)
      if (lines) yield lines.text
      if (!lines || lines.count < rowsPerStep) break
      before = lines.place
      // A file answers at once: without this a long export would be one long turn, in which nobody else is served.
      await othersTurn()
    }
    to = start
  }
}

const media = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const

/** A file of any size, written while it is read. Users get what they see in their own log. */
export function exportLog(ctx: Context, selection: LogSelection | null, format: LineFormat, whose: Whose): Response {
  const steps = selection ? selectedLines(ctx.database.reader(), selection, { format, whose }) : null
  const whom = `${whose} ${selection?.userId} ${selection?.teamId}`
  const nextLines = async () => (steps ? inReportTurn(ctx.nodeId, whom, () => steps.next()) : undefined)
  const encoder = new TextEncoder()
  let sent: Uint8Array<ArrayBuffer> | null = null
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: Lines['text']) => {
    sent = typeof text === 'string' ? encoder.encode(text) : text
    controller.enqueue(sent)
  }
  let isBegun = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // The server asks for more when it has passed on what it got, and the collector would come for that too late.
        sent?.buffer.transfer(0)
        if (!isBegun) {
          isBegun = true
          if (format === 'csv') return send(controller, csvLine(columnsFor(whose)))
        }
        const next = await nextLines().catch((cause) => {
          // The head has been sent: nobody else learns of it.
          throw toAppError(cause, ctx, 'the export of a log')
        })
        if (!next || next.done) controller.close()
        else send(controller, next.value)
      },
      async cancel() {
        await steps?.return(undefined)
      },
    },
    { highWaterMark: 0 },
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
