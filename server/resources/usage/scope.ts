import type { z } from 'zod'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Dimension } from '#server/db/usage/cells.ts'
import type { ColumnChoice, UsageFilter } from '#server/db/usage/filter.ts'
import type { Actor } from '#server/http/call.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import type { UsageFilters, UsageInput } from '#shared/api/usage.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { readFilterList } from '#shared/filter-list.ts'
import { isAdmin } from '#shared/roles.ts'
import { managesTeam, userIdsOf } from './usage.store.ts'

type Input = z.output<typeof UsageInput>
type Filters = z.output<typeof UsageFilters>

export type Scope = { readonly kind: 'self' | 'team'; readonly id: number } | { readonly kind: 'all' }

/** Whose usage it is, if the caller may see it. */
export async function scopeFor(ctx: Context, actor: Actor, text: string): Promise<Scope> {
  if (text === 'self') return { kind: 'self', id: actor.id }
  if (text === 'all') {
    if (!isAdmin(actor.role)) throw new AppError('auth.forbidden')
    return { kind: 'all' }
  }
  const id = Number(text.slice('team:'.length))
  if (!isAdmin(actor.role) && !(await managesTeam(ctx.database.db, id, actor.id))) throw new AppError('auth.forbidden')
  return { kind: 'team', id }
}

export const zoneOf = (ctx: Context, { time_zone: zone }: Pick<Input, 'time_zone'>): string => zone ?? systemZone(ctx)

export const systemZone = (ctx: Context): string => ctx.options().TimeZone

const monthSeconds = 30 * daySeconds

export function rangeOf(ctx: Context, { from, to }: Pick<Input, 'from' | 'to'>): { from: number; to: number } {
  const end = to ?? Math.max(epochSeconds(ctx) + 1, from === undefined ? 0 : from + 1)
  const start = from ?? Math.max(0, end - monthSeconds)
  if (start >= end) throw invalid('usage.range')
  return { from: start, to: end }
}

/** `a,b` are those two; `!a,b` all but those two. */
function listed(text: string): { values: string[]; leaveOut: boolean }[] {
  const items = readFilterList(text)
  if (items.length === 0) return []
  if (items[0]?.leaveOut) return [{ values: items.map(({ value }) => value), leaveOut: true }]
  const wanted = items.filter(({ leaveOut }) => !leaveOut).map(({ value }) => value)
  const unwanted = items.filter(({ leaveOut }) => leaveOut).map(({ value }) => value)
  return [{ values: wanted, leaveOut: false }, ...(unwanted.length > 0 ? [{ values: unwanted, leaveOut: true }] : [])]
}

const textChoices = (column: Dimension, text: string): ColumnChoice[] =>
  listed(text).map(({ values, leaveOut }) => ({ column, values, leaveOut }))

/** What no channel and no team has. */
const nobody = -1

const numberChoices = (column: Dimension, text: string): ColumnChoice[] =>
  listed(text).map(({ values, leaveOut }) => ({
    column,
    values: values.map((value) => (/^\d{1,15}$/.test(value) ? Number(value) : nobody)),
    leaveOut,
  }))

export async function filterFor(ctx: Context, actor: Actor, scope: Scope, filters: Filters): Promise<UsageFilter> {
  if (filters.channel !== '' && !isAdmin(actor.role)) throw new AppError('auth.forbidden')
  const own: ColumnChoice[] =
    scope.kind === 'all'
      ? []
      : [{ column: scope.kind === 'self' ? 'user_id' : 'team_id', values: [scope.id], leaveOut: false }]
  const users: ColumnChoice[] = []
  for (const { values, leaveOut } of listed(filters.username)) {
    users.push({ column: 'user_id', values: await userIdsOf(ctx.database.db, values), leaveOut })
  }
  return [
    ...own,
    ...users,
    ...numberChoices('channel', filters.channel),
    ...numberChoices('team_id', filters.team),
    ...textChoices('model_name', filters.model_name),
    ...textChoices('token_name', filters.token_name),
    ...textChoices('group', filters.group),
  ]
}
