import type { RequestDetail } from '#shared/api/logs.ts'
import { reasonIn } from '#web/components/data/reason-words.ts'
import { useChannelName } from '#web/hooks/use-channel-name.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './panel.module.css'

const states = ['first', 'reserve', 'out'] as const

const placeOf = ({ state }: RequestDetail['candidates'][number]): number => {
  const place = states.findIndex((each) => each === state)
  return place === -1 ? states.length : place
}

/** Which channels there were when the request came, and why each stood where it stood. */
export function Candidates({ candidates }: Pick<RequestDetail, 'candidates'>) {
  const { t } = useTranslation()
  const nameOf = useChannelName()
  return (
    <section className={styles.section} aria-label={t('logs.panel.candidates')}>
      <h3>{t('logs.panel.candidates')}</h3>
      <ul className={styles.candidates}>
        {candidates
          .toSorted((a, b) => placeOf(a) - placeOf(b))
          .map((each, index) => ({ ...each, id: `${index} ${each.channel_id}` }))
          .map(({ id, channel_id, state, reason }) => {
            const known = states.find((each) => each === state)
            const word = known ? t(`logs.panel.states.${known}`) : state
            return (
              <li key={id}>
                <span>{channel_id > 0 ? nameOf(channel_id) : word}</span>
                <span className="dimmed">
                  {[channel_id > 0 && word, reasonIn(t, state, reason)].filter(Boolean).join(t('common.comma'))}
                </span>
              </li>
            )
          })}
      </ul>
    </section>
  )
}
