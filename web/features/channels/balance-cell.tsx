import { Loader, UnstyledButton } from '@mantine/core'
import type { Channel } from '#shared/api/channels.ts'
import { useRunning } from '#web/hooks/use-running.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { balanceText } from './balance.ts'
import styles from './channels.module.css'

/** The balance, which is asked anew when pressed. */
export function BalanceCell({ channel, onUpdate }: { channel: Channel; onUpdate: () => unknown }) {
  const { t } = useTranslation()
  const text = balanceText(channel.type, channel.balance, useQuotaDisplay())
  const [running, run] = useRunning()
  if (text === null)
    return (
      <span className="dimmed" title={t('channels.noBalance')}>
        {t('common.none')}
      </span>
    )
  const asked = channel.balance_updated_time
  return (
    <UnstyledButton
      className={styles.balance}
      aria-label={t('channels.updateBalance', { name: channel.name, balance: text })}
      aria-busy={running}
      title={asked > 0 ? t('channels.balanceOf', { time: formatTime(asked) }) : t('channels.balanceNever')}
      onClick={() => void run(onUpdate)}
    >
      <span data-running={running || undefined}>{text}</span>
      {running && <Loader className={styles.loader} size={14} color="gray" />}
    </UnstyledButton>
  )
}
