import { channelTypeOf } from '#shared/channel-types.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import { channelColor } from '#web/theme/meaning.ts'
import styles from './badges.module.css'

/** A channel type: its colour as a bar, its name in plain text. */
export function ChannelTypeName({ type }: { type: number }) {
  const { t } = useTranslation()
  const found = channelTypeOf(type)
  return (
    <span className={styles.type}>
      <span
        className={styles.typeBar}
        style={{ background: found ? channelColor[found.color] : 'var(--sy-track)' }}
        aria-hidden="true"
      />
      <span className="ellipsis">{found ? channelTypeWords(found).label : t('common.unknown')}</span>
    </span>
  )
}
