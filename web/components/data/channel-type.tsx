import { channelTypeOf } from '#shared/channel-types.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import { channelColor } from '#web/theme/meaning.ts'
import styles from './badges.module.css'

/** The colour of a channel's type. */
export function ChannelBar({ type }: { type: number }) {
  const found = channelTypeOf(type)
  return (
    <span
      className={styles.typeBar}
      style={{ background: found ? channelColor[found.color] : 'var(--sy-track)' }}
      aria-hidden="true"
    />
  )
}

/** A channel type: its colour as a bar, its name in plain text. */
export function ChannelTypeName({ type }: { type: number }) {
  const { t } = useTranslation()
  const found = channelTypeOf(type)
  return (
    <span className={styles.type}>
      <ChannelBar type={type} />
      <span className="ellipsis">{found ? channelTypeWords(found).label : t('common.unknown')}</span>
    </span>
  )
}
