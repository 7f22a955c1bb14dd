import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { TeamWithMembers } from '#shared/api/teams.ts'
import type { Token } from '#shared/api/tokens.ts'
import { compactCount, formatQuota } from '#shared/quota.ts'
import { Money } from '#web/components/data/money.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import type { Column } from '#web/components/table/column.ts'
import { DataTable, unsorted } from '#web/components/table/data-table.tsx'
import { RowActions } from '#web/components/table/row-actions.tsx'
import type { QuotaDisplay } from '#web/lib/format.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { teamTokensQuery } from '#web/state/queries/team-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './teams.module.css'

/** What holds a token back, in a few words. */
function limitsOf(t: TFunction, token: Token, display: QuotaDisplay): string {
  const { rpm, tpm, parallel, budget, budget_period, budget_used } = token
  const money = (quota: number) => formatQuota(quota, display)
  return [
    rpm > 0 && t('teams.limits.rpm', { count: compactCount(rpm) }),
    tpm > 0 && t('teams.limits.tpm', { count: compactCount(tpm) }),
    parallel > 0 && t('teams.limits.parallel', { count: parallel }),
    budget > 0 &&
      t(`teams.limits.${budget_period}`, {
        amount: t('table.amountOf', { amount: money(budget_used), total: money(budget) }),
      }),
    budget > 0 && budget_used >= budget && t('table.usedUp'),
    !token.unlimited_quota && t('teams.limits.quota', { amount: money(token.remain_quota) }),
  ]
    .filter(Boolean)
    .join(t('common.comma'))
}

function tokenColumns(t: TFunction, team: TeamWithMembers, display: QuotaDisplay): ReadonlyArray<Column<Token>> {
  const nameOf = (id: number) => team.members.find(({ user_id }) => user_id === id)?.username ?? `#${id}`
  return [
    {
      id: 'name',
      header: t('tokens.name'),
      cell: ({ name }) => <b className="name">{name}</b>,
      title: ({ name }) => name,
      phone: 'title',
    },
    {
      id: 'key',
      header: t('tokens.key'),
      cell: ({ key }) => <span className="mono dimmed">{key === '' ? t('common.none') : `sk-…${key.slice(-4)}`}</span>,
      width: 92,
      phone: 'hidden',
      drop: 1,
    },
    {
      id: 'by',
      header: t('teams.madeBy'),
      cell: ({ user_id }) => nameOf(user_id),
      title: ({ user_id }) => nameOf(user_id),
      width: 130,
      least: 90,
      phone: 'meta',
    },
    {
      id: 'status',
      header: t('tokens.status'),
      cell: ({ status }) => <State kind="token" status={status} />,
      width: 112,
      phone: 'state',
    },
    {
      id: 'used',
      header: t('tokens.used'),
      cell: ({ used_quota }) => <Money quota={used_quota} />,
      align: 'end',
      width: 140,
      phone: 'badge',
    },
    {
      id: 'limits',
      header: t('teams.limitsHead'),
      cell: (token) => <span className={styles.limits}>{limitsOf(t, token, display) || t('common.none')}</span>,
      title: (token) => limitsOf(t, token, display),
      width: 240,
      least: 140,
      phone: 'hidden',
      drop: 2,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: ({ id, name }) => (
        <RowActions name={name} actions={[{ label: t('common.edit'), icon: 'edit', to: `/token/edit/${id}` }]} />
      ),
      width: 72,
      align: 'end',
      phone: 'actions',
    },
  ]
}

/** Tokens that spend from the team's wallet: all of them for managers, the own ones for members. */
export function TokensSection({ team }: { team: TeamWithMembers }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const { data: tokens = [], isPending, isLoadingError, refetch } = useQuery(teamTokensQuery(team.id))
  return (
    <section className={styles.section} aria-labelledby="team-tokens">
      <div className={styles.sectionHead}>
        <h2 id="team-tokens">{t('teams.tokens')}</h2>
        <Link to={`/token/add?team=${team.id}`} className={styles.link}>
          {t('teams.addToken')}
        </Link>
      </div>
      <DataTable
        label={t('teams.tokens')}
        columns={tokenColumns(t, team, display)}
        rows={tokens}
        rowId={({ id }) => id}
        loading={isPending}
        state={unsorted}
        empty={isLoadingError ? <CannotLoad onRetry={refetch} /> : <p className="dimmed">{t('teams.noTokens')}</p>}
      />
    </section>
  )
}
