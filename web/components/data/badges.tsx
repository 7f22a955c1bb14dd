import { Badge } from '@mantine/core'
import { isAdmin, isRoot } from '#shared/roles.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { groupColor, logTypeColor, responseColor, roleColor } from '#web/theme/meaning.ts'
import styles from './badges.module.css'

/** `groups` is comma-separated; empty means default. `but` leaves one out where there is little room. */
export function GroupBadges({ groups, but }: { groups: string; but?: string }) {
  const names = (groups || 'default').split(',').filter((name) => name !== '' && name !== but)
  return (
    <span className={styles.badges}>
      {names.map((name) => (
        <Badge key={name} color={groupColor(name)}>
          {name}
        </Badge>
      ))}
    </span>
  )
}

export function RoleBadge({ role }: { role: number }) {
  const { t } = useTranslation()
  const word = isRoot(role) ? 'root' : isAdmin(role) ? 'admin' : 'user'
  return <Badge color={roleColor(role)}>{t(`states.role.${word}`)}</Badge>
}

export function ResponseBadge({ milliseconds }: { milliseconds: number }) {
  const { t } = useTranslation()
  return (
    <Badge color={responseColor(milliseconds)}>
      {milliseconds === 0 ? t('states.untested') : formatSeconds(milliseconds)}
    </Badge>
  )
}

export function LogTypeBadge({ type }: { type: number }) {
  const { t } = useTranslation()
  const colors: Record<number, string> = logTypeColor
  const words: Record<number, string> = t('states.log', { returnObjects: true })
  return <Badge color={colors[type] ?? 'gray'}>{(type > 0 && words[type]) || t('common.unknown')}</Badge>
}
