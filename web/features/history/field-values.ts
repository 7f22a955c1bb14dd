import type { HistoryKind } from '#shared/api/history.ts'
import { budgetPeriods } from '#shared/budget.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { formatQuota, type QuotaDisplay } from '#shared/quota.ts'
import { isAdmin, isRoot } from '#shared/roles.ts'
import { teamRoles } from '#shared/teams.ts'
import { formatUsd } from '#shared/usd.ts'
import { formatTime } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'

export const spell = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

interface Sided {
  readonly field: string
  readonly value: unknown
}

interface Reader {
  readonly t: TFunction
  readonly display: QuotaDisplay
  readonly kind: HistoryKind
}

type NumberWords = (value: number, reader: Reader) => string
type TextWords = (value: string, t: TFunction) => string

const quota: NumberWords = (value, { display }) => formatQuota(value, display)
const time: NumberWords = (value, { t }) => (value > 0 ? formatTime(value) : t('history.never'))
const timeOrNone: NumberWords = (value, words) => (value > 0 ? time(value, words) : '')
const someone: NumberWords = (value) => (value > 0 ? `#${value}` : '')

const state: NumberWords = (value, { t, kind }) => {
  const states: Record<string, Record<number, string>> = t('states', { returnObjects: true })
  return (states[kind]?.[value] ?? spell(value)).toLowerCase()
}

const role: NumberWords = (value, { t }) =>
  t(`states.role.${isRoot(value) ? 'root' : isAdmin(value) ? 'admin' : 'user'}`).toLowerCase()

const channelType: NumberWords = (value, { kind }) => {
  const known = kind === 'channel' ? channelTypeOf(value) : undefined
  return known ? channelTypeWords(known).label : spell(value)
}

const usd: NumberWords = (value) => formatUsd(value)

const numbers: Readonly<Record<string, NumberWords>> = {
  input_usd: usd,
  output_usd: usd,
  cache_read_usd: usd,
  cache_write_usd: usd,
  per_request_usd: usd,
  quota,
  remain_quota: quota,
  used_quota: quota,
  budget: quota,
  expired_time: time,
  previous_key_expires: timeOrNone,
  expires_at: time,
  created_time: time,
  redeemed_time: time,
  older_than: time,
  user_id: someone,
  team_id: someone,
  inviter_id: someone,
  redeemed_by: someone,
  type: channelType,
  status: state,
  role,
}

const memberRole: TextWords = (value, t) => {
  const known = teamRoles.find((one) => one === value)
  return known ? t(`teams.roles.${known}`).toLowerCase() : value
}

const period: TextWords = (value, t) => {
  const known = budgetPeriods.find((one) => one === value)
  return known ? t(`forms.periods.${known}`) : value
}

const texts: Readonly<Record<string, TextWords>> = { role: memberRole, budget_period: period }

/** A value as people say it: states and roles by their word, quota as money, times as dates. */
export function spellField(t: TFunction, display: QuotaDisplay, kind: HistoryKind, { field, value }: Sided): string {
  if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no')
  if (typeof value === 'number') return numbers[field]?.(value, { t, display, kind }) ?? spell(value)
  if (typeof value === 'string') return texts[field]?.(value, t) ?? value
  return spell(value)
}
