import type { SimulatedRouting } from '#shared/api/routing.ts'
import { formatQuota } from '#shared/quota.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './simulate.module.css'

/** What of the draft would hurt, in words. */
export function Watch({ simulated }: { simulated: SimulatedRouting | undefined }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  if (!simulated) return null
  const money = (quota: number) => formatQuota(quota, display)
  const words = [
    ...simulated.unserved.map(({ model, group, requests }) => t('routing.unserved', { count: requests, model, group })),
    ...simulated.channels.flatMap(({ name, now, then, peak, rpm }) => [
      ...(rpm > 0 && peak.then >= rpm
        ? [t('routing.watchFull', { name, peak: Math.ceil(peak.then), limit: rpm })]
        : []),
      ...(then.profit < 0 && then.profit < now.profit
        ? [t('routing.watchLoss', { name, money: money(-then.profit) })]
        : []),
      ...(now.requests > 0 && then.requests === 0 ? [t('routing.watchIdle', { name })] : []),
    ]),
  ]
  return (
    <section className={styles.watch} role="status">
      <h2>{t('routing.watch')}</h2>
      {words.length === 0 && <p className="dimmed">{t('routing.watchNothing')}</p>}
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </section>
  )
}
