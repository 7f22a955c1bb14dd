import { useTranslation } from '#web/lib/i18n.ts'
import { looks, type StateLook, unknownLook } from '#web/theme/meaning.ts'
import styles from './badges.module.css'

type Kind = keyof typeof looks

export function Dot({ look }: { look: StateLook }) {
  const color = look.color === 'gray' ? 'var(--sy-ink-3)' : `var(--mantine-color-${look.color}-dot)`
  return (
    <svg width="8" height="8" viewBox="0 0 8 8" fill="none" stroke={color} strokeWidth="1.5" aria-hidden="true">
      <circle cx="4" cy="4" r="3.25" fill={look.dot === 'full' ? color : 'none'} />
      {look.dot === 'half' && <path d="M4 .75a3.25 3.25 0 0 1 0 6.5z" fill={color} stroke="none" />}
      {look.dot === 'slash' && <path d="M1.9 6.1l4.2-4.2" />}
    </svg>
  )
}

/** A state of a channel, token, redemption code or user: a dot whose shape differs too, and the word. */
export function State({ kind, status }: { kind: Kind; status: number }) {
  const { t } = useTranslation()
  const known: Record<number, StateLook> = looks[kind]
  const words: Record<number, string> = t(`states.${kind}`, { returnObjects: true })
  const look = known[status] ?? unknownLook
  return (
    <span className={styles.state} data-plain={status === 1 || undefined}>
      <Dot look={look} />
      {words[status] ?? t('common.unknown')}
    </span>
  )
}
