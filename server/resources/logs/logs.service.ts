import type { z } from 'zod'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { removeOldest } from '#server/db/logs/log-totals.ts'
import { offsetOf, pageFrom } from '#server/db/page.ts'
import { reading } from '#server/db/reading.ts'
import { settledLogId } from '#server/db/settled-id.ts'
import { transact } from '#server/db/transact.ts'
import { logAction } from '#server/history/log-action.ts'
import { record } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { objectOf, parseObject } from '#server/lib/json.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import {
  countedLogsMax,
  type Log,
  type LogFilter,
  type Negatable,
  negatable,
  type OwnLogFilter,
  outcomes,
} from '#shared/api/logs.ts'
import { AppError } from '#shared/errors.ts'
import type { Page, PageInput } from '#shared/pagination.ts'
import { logType } from '#shared/statuses.ts'
import { isInTotals, type LogSelection } from './log-filter.ts'
import { countRows, type LogRow, newestRows, rowsAfter, rowsOfDay, tally, teamRole, userIdOf } from './logs.store.ts'

type OwnFilter = z.output<typeof OwnLogFilter>

const endOfTime = 200_000_000_000

/** A filter that is not set cannot be negated, nor can users who see only their own rows negate whose they are. */
const isGiven = (name: Negatable, filter: OwnFilter): boolean => {
  const value = name in filter ? filter[name as keyof OwnFilter] : undefined
  return value !== undefined && value !== 0 && value !== ''
}

const selectionOf = (filter: OwnFilter, userId: number, channel: number): LogSelection => ({
  type: filter.type,
  userId,
  tokenName: filter.token_name,
  modelName: filter.model_name,
  channel,
  teamId: filter.team_id,
  group: filter.group,
  outcome: filter.outcome,
  slow: filter.slow === 'true',
  not: negatable.filter((name) => filter.not.split(',').includes(name) && isGiven(name, filter)),
  from: filter.start_timestamp,
  to: filter.end_timestamp === 0 ? endOfTime : filter.end_timestamp + 1,
})

/** The own rows; of a team those of everyone, if one manages it. */
export async function ownSelection(ctx: Context, actor: Actor, filter: OwnFilter): Promise<LogSelection> {
  if (filter.team_id === 0) return selectionOf(filter, actor.id, 0)
  const role = await teamRole(ctx.database.db, filter.team_id, actor.id)
  if (role === undefined) throw new AppError('auth.forbidden')
  return selectionOf(filter, role === 'member' ? actor.id : 0, 0)
}

/** Null when the filter names a user who does not exist. Names change hands, so rows are found by the user's number. */
export async function selectionForAdmin(ctx: Context, filter: LogFilter): Promise<LogSelection | null> {
  if (filter.username === '') return selectionOf(filter, 0, filter.channel)
  const userId = await userIdOf(ctx.database.db, filter.username)
  if (userId !== undefined) return selectionOf(filter, userId, filter.channel)
  // A negated filter for an unknown user leaves out nothing.
  if (!filter.not.split(',').includes('username')) return null
  const everyone: LogFilter = { ...filter, username: '' }
  return selectionOf(everyone, 0, filter.channel)
}

type LogPageInput = PageInput & { after_id?: number | undefined }

/** A page of the log; its total is a lower bound where counting all rows would take long. */
interface LogPage extends Page<Log> {
  total_is_lower_bound: boolean
}

export async function logPage(ctx: Context, selection: LogSelection | null, page: LogPageInput): Promise<LogPage> {
  if (!selection) return counted(pageFrom(page, [], 0))
  if (page.after_id !== undefined) return counted(await newRows(ctx, selection, page, page.after_id))
  return isInTotals(selection) ? exactPage(ctx, selection, page) : pageOfRows(ctx, selection, page)
}

const counted = (page: Page<Log>): LogPage => ({ ...page, total_is_lower_bound: false })

/** Where no totals know the filter, rows are counted, and not further than people read. */
const pageOfRows = (ctx: Context, selection: LogSelection, page: PageInput): Promise<LogPage> =>
  reading(ctx, async (tx) => {
    const count = await countRows(tx, selection, countedLogsMax + 1)
    const isMore = count > countedLogsMax
    const rows = await newestRows(tx, selection, { skip: offsetOf(page), take: page.pagesize })
    const total = isMore ? Math.max(countedLogsMax, offsetOf(page) + rows.length) : count
    return { ...pageFrom(page, rows.map(present), total), total_is_lower_bound: isMore }
  })

function exactPage(ctx: Context, selection: LogSelection, page: PageInput): Promise<LogPage> {
  return reading(ctx, async (tx) => {
    const days = await tally(tx, 'counts', selection)
    const rows: LogRow[] = []
    let skip = offsetOf(page)
    for (const day of days) {
      if (rows.length >= page.pagesize) break
      if (skip < day.count)
        rows.push(...(await rowsOfDay(tx, selection, day, { skip, take: page.pagesize - rows.length })))
      skip = Math.max(0, skip - day.count)
    }
    const total = days.reduce((sum, { count }) => sum + count, 0)
    return counted(pageFrom(page, rows.map(present), total))
  })
}

/** Nothing is lost and nothing repeated: rows that may still get a neighbour with a lower number are not shown yet. */
async function newRows(ctx: Context, selection: LogSelection, page: PageInput, after: number): Promise<Page<Log>> {
  const upTo = await settledLogId(ctx.database)
  if (upTo === null) return pageFrom({ ...page, page: 1 }, [], 0)
  const rows = await rowsAfter(ctx.database.db, selection, { after, upTo, take: page.pagesize })
  return pageFrom({ ...page, page: 1 }, rows.map(present), rows.length)
}

export function present(row: LogRow): Log {
  return {
    ...row,
    is_stream: row.is_stream === 1,
    outcome: outcomes.find((outcome) => outcome === row.outcome) ?? '',
    tried: row.tried === '' ? [] : row.tried.split(',').map(Number),
    detail: parseObject(row.detail),
  }
}

/** Which channels there are, what they cost and how they name a model is not the users' to know. */
export function withoutChannels({ cost: _, ...log }: Log): Log {
  const { mapped, ...detail } = log.detail
  const charge = objectOf(detail.charge)
  const asAskedFor = mapped !== undefined && charge ? { charge: { ...charge, model: log.model_name } } : {}
  return { ...log, channel: 0, tried: [], detail: { ...detail, ...asAskedFor } }
}

export async function ownLogPage(ctx: Context, selection: LogSelection, page: LogPageInput): Promise<LogPage> {
  const answer = await logPage(ctx, selection, page)
  return { ...answer, list: answer.list.map(withoutChannels) }
}

/** Of consumption rows only, whatever type is asked for. */
export async function logStat(ctx: Context, selection: LogSelection | null): Promise<{ quota: number; token: number }> {
  if (!selection) return { quota: 0, token: 0 }
  const days = await reading(ctx, (tx) =>
    tally(tx, 'sums', {
      ...selection,
      type: logType.consumption,
      not: selection.not.filter((name) => name !== 'type'),
    }),
  )
  return {
    quota: days.reduce((sum, { quota }) => sum + quota, 0),
    token: days.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

const rowsPerStep = 1000

/** Rows about administrators stay this long, so that nobody can erase what they have just done. */
const adminRowsSeconds = 90 * daySeconds

/** Deletes rows older than a time, in small steps so that nothing else waits for long. */
export async function clearLogs(ctx: Context, actor: Actor, target: number): Promise<number> {
  if (target === 0) throw new AppError('log.target_required')
  // Without this bound it would run on for as long as rows are written.
  const before = Math.min(target, epochSeconds(ctx) + 1)
  const keptFrom = epochSeconds(ctx) - adminRowsSeconds
  let cleared = 0
  for (;;) {
    const removed = await ctx.database.db.transaction().execute((tx) => removeOldest(tx, before, keptFrom, rowsPerStep))
    cleared += removed
    if (removed === 0) break
    await othersTurn()
  }
  const time = new Date(target * 1000).toISOString()
  await transact(ctx, async (tx) => {
    await logAction(ctx, tx, actor, { code: 'log.cleared', values: { rows: cleared, time } })
    const after = { cleared, older_than: target }
    await record(ctx, tx, actor, { kind: 'log', things: [{ id: target, name: '', before: null, after }], final: 'log' })
  })
  return cleared
}
