import type { Token } from '#shared/api/tokens.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { BudgetBar } from '#web/components/data/budget-bar.tsx'
import { LogLink } from '#web/components/data/log-link.tsx'
import { Money } from '#web/components/data/money.tsx'
import { QuotaBar, QuotaLeft } from '#web/components/data/quota-bar.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import type { Column } from '#web/components/table/column.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import { formatDate, formatMinute, formatTime } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { BudgetUsed } from './budget-used.tsx'
import { maskedKey } from './chat-clients.ts'
import styles from './tokens.module.css'

const totalOf = (token: Token): number => token.remain_quota + token.used_quota

export const isIdle = (token: Token): boolean => token.status !== tokenStatus.enabled

export const shareLeft = (token: Token): number => (totalOf(token) > 0 ? token.remain_quota / totalOf(token) : 0)

const never = -1

function expiryText(token: Token, t: TFunction): string {
  return token.expired_time === never ? t('common.never') : formatMinute(token.expired_time)
}

/** Only where a token of the page has a budget. */
const budgetColumn = (t: TFunction): Column<Token> => ({
  id: 'budget',
  header: t('tokens.budgetUsed'),
  cell: (token) => (token.budget > 0 ? <BudgetBar {...token} /> : t('common.none')),
  sortBy: ({ budget, budget_used }) => (budget > 0 ? budget_used / budget : -1),
  width: 190,
  least: 160,
  phone: 'meta',
  phoneCell: (token) => token.budget > 0 && <BudgetUsed {...token} />,
})

export const tokenColumns = (
  t: TFunction,
  rows: readonly Token[],
  actions: (token: Token) => readonly RowAction[],
): Column<Token>[] => [
  {
    id: 'name',
    header: t('tokens.name'),
    cell: (token) => <b className="name">{token.name}</b>,
    sortBy: (token) => token.name,
    title: (token) => token.name,
    phone: 'title',
  },
  {
    id: 'key',
    header: t('tokens.key'),
    cell: (token) => <span className="mono dimmed">{maskedKey(token)}</span>,
    width: 88,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'status',
    header: t('tokens.status'),
    cell: (token) => <State kind="token" status={token.status} />,
    sortBy: (token) => token.status,
    width: 112,
    least: 96,
    phone: 'state',
  },
  {
    id: 'used',
    header: t('tokens.used'),
    cell: (token) => (
      <LogLink to={`/log?token_name=${encodeURIComponent(token.name)}&start_timestamp=0`} name={token.name}>
        <Money quota={token.used_quota} />
      </LogLink>
    ),
    sortBy: (token) => token.used_quota,
    align: 'end',
    width: 156,
    least: 138,
    phone: 'hidden',
    drop: 3,
  },
  {
    id: 'remaining',
    header: t('tokens.remaining'),
    cell: (token) => (
      <QuotaBar
        remaining={token.remain_quota}
        total={totalOf(token)}
        unlimited={token.unlimited_quota}
        idle={isIdle(token)}
      />
    ),
    sortBy: (token) => (token.unlimited_quota ? Number.POSITIVE_INFINITY : token.remain_quota),
    width: 206,
    least: 150,
    phone: 'meta',
    phoneCell: (token) => (
      <QuotaLeft remaining={token.remain_quota} total={totalOf(token)} unlimited={token.unlimited_quota} />
    ),
  },
  ...(rows.some(({ budget }) => budget > 0) ? [budgetColumn(t)] : []),
  {
    id: 'created',
    header: t('tokens.created'),
    cell: (token) => <span className="dimmed">{formatDate(token.created_time)}</span>,
    sortBy: (token) => token.created_time,
    title: (token) => formatTime(token.created_time),
    width: 101,
    least: 92,
    phone: 'hidden',
    drop: 1,
  },
  {
    id: 'expires',
    header: t('tokens.expires'),
    cell: (token) => (
      <span className={token.expired_time === never ? 'dimmed' : styles.expires}>{expiryText(token, t)}</span>
    ),
    sortBy: (token) => (token.expired_time === never ? Number.POSITIVE_INFINITY : token.expired_time),
    title: (token) => (token.expired_time === never ? t('common.never') : formatTime(token.expired_time)),
    width: 132,
    least: 92,
    phone: 'meta',
    phoneCell: (token) =>
      token.expired_time === never ? t('tokens.neverExpires') : t('tokens.until', { time: expiryText(token, t) }),
    drop: 4,
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (token) => <RowActions name={token.name} actions={actions(token)} />,
    align: 'end',
    width: 318,
    phone: 'actions',
  },
]
