import type { SimulatedRouting } from '#shared/api/routing.ts'
import { formatQuota } from '#shared/quota.ts'
import { dateTag } from '#web/lib/format.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './simulate.module.css'
import type { Days } from './use-draft.ts'

type Full = NonNullable<SimulatedRouting['channels'][number]['full']>

interface Said {
  readonly t: TFunction
  /** Of the language, for dates and lists. */
  readonly tag: string
  readonly days: Days
}

/** How long a channel is full, when most of all, and who takes over. */
function fullWords({ t, tag, days }: Said, name: string, { minutes, worst, instead }: Full): string {
  const at = (options: Intl.DateTimeFormatOptions, time: number) =>
    new Intl.DateTimeFormat(tag, options).format(time * 1000)
  const clock = (time: number) => at({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, time)
  const when = {
    day: at({ weekday: 'long', day: 'numeric', month: 'long' }, worst.from),
    from: clock(worst.from),
    to: clock(worst.to),
  }
  return [
    t('routing.watchFull', { name, count: minutes, period: t(`routing.ofDays.${days}`) }),
    t(worst.minutes * 2 > minutes ? 'routing.watchMost' : 'routing.watchLongest', when),
    instead.length === 0
      ? t('routing.watchNobody')
      : t('routing.watchInstead', { names: new Intl.ListFormat(tag).format(instead), count: instead.length }),
  ].join('')
}

/** What of the draft would hurt, in words. */
export function Watch({ simulated, days }: { simulated: SimulatedRouting | undefined; days: Days }) {
  const { t, language } = useTranslation()
  const display = useQuotaDisplay()
  if (!simulated) return null
  const money = (quota: number) => formatQuota(quota, display)
  const words = [
    ...simulated.unserved.map(({ model, group, requests }) => t('routing.unserved', { count: requests, model, group })),
    ...simulated.channels.flatMap(({ name, now, then, full }) => [
      ...(full ? [fullWords({ t, tag: dateTag(language), days }, name, full)] : []),
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
