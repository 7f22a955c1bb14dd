import { UnstyledButton } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { formatQuota } from '#shared/quota.ts'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { ownTeamsQuery } from '#web/state/queries/team-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { chooseWallet, useWalletTeam } from '#web/state/wallet.ts'
import styles from '../shell.module.css'
import { useFreshBalance } from './use-fresh-balance.ts'

/** Pages about one wallet alone: another one leads to its own. */
const ofOneWallet = /^\/(team|topup)\b/

/** Whose money is looked at, and how much is left of it in a menu of all wallets. */
export function Wallet() {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data: self } = useQuery({ ...selfQuery, meta: ownReport })
  const { data: teams = [] } = useQuery({ ...ownTeamsQuery, meta: ownReport })
  const team = useWalletTeam()
  useFreshBalance()
  const own = { id: 0, to: '/topup', name: t('shell.personal'), quota: self?.quota }
  const wallets = [own, ...teams.map(({ id, name, quota }) => ({ id, to: `/team/${id}`, name, quota }))]
  const current = wallets.find(({ id }) => id === (team?.id ?? 0)) ?? own
  const choose = ({ id, to }: typeof own) => {
    chooseWallet(id)
    if (ofOneWallet.test(pathname)) void navigate(to)
  }
  const face = (
    <>
      <span className={styles.walletName}>{current.name}</span>
      {current.quota !== undefined && <span className={styles.balance}>{formatQuota(current.quota, display)}</span>}
    </>
  )
  const entries = [
    ...wallets.map((wallet) => ({
      label: wallet.name,
      beside: wallet.quota === undefined ? '' : formatQuota(wallet.quota, display),
      run: () => choose(wallet),
      current: wallet.id === current.id,
    })),
    { label: t('shell.createTeam'), run: () => void navigate('/team') },
  ]
  const target = (
    <UnstyledButton className={styles.wallet} title={t('shell.wallet')}>
      {face}
      <IconSelector size={16} stroke={1.6} aria-hidden className={styles.walletMark} />
    </UnstyledButton>
  )
  return <ActionMenu target={target} entries={entries} />
}
