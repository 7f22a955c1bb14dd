import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from 'react-router'
import { formatQuota } from '#shared/quota.ts'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { ownTeamsQuery } from '#web/state/queries/team-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './shell.module.css'

/** Whose money is looked at, and how much is left of it; with teams a menu of all wallets. */
export function Wallet() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data: self } = useQuery({ ...selfQuery, meta: ownReport })
  const { data: teams = [] } = useQuery({ ...ownTeamsQuery, meta: ownReport })
  const own = { to: '/topup', name: t('shell.personal'), quota: self?.quota }
  const wallets = [own, ...teams.map(({ id, name, quota }) => ({ to: `/team/${id}`, name, quota }))]
  const current = wallets.find(({ to }) => to === pathname) ?? own
  const face = (
    <>
      <span className={styles.walletName}>{current.name}</span>
      {current.quota !== undefined && <span className={styles.balance}>{formatQuota(current.quota, display)}</span>}
    </>
  )
  if (teams.length === 0) {
    return (
      <Link to={own.to} className={styles.wallet}>
        {face}
      </Link>
    )
  }
  const entries = wallets.map(({ to, name, quota }) => ({
    label: quota === undefined ? name : `${name} ${formatQuota(quota, display)}`,
    run: () => navigate(to),
    current: to === current.to,
  }))
  return <ActionMenu target={<UnstyledButton className={styles.wallet}>{face}</UnstyledButton>} entries={entries} />
}
