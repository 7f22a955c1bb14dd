import { Badge } from '@mantine/core'
import { isAdmin, isRoot } from '#shared/roles.ts'
import { useRoom } from '#web/hooks/screen/use-room.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { groupColor, logTypeColor, responseColor, roleColor } from '#web/theme/meaning.ts'
import styles from './badges.module.css'

interface GroupProps {
  /** Comma-separated; empty means default. */
  groups: string
  /** Left out where there is little room. */
  but?: string
  /** So many; of the others only how many they are. */
  max?: number
}

export function GroupBadges({ groups, but, max = Number.POSITIVE_INFINITY }: GroupProps) {
  const names = (groups || 'default').split(',').filter((name) => name !== '' && name !== but)
  const badge = (name: string) => (
    <Badge key={name} color={groupColor(name)}>
      {name}
    </Badge>
  )
  return (
    <span className={styles.badges}>
      {names.slice(0, max).map(badge)}
      {names.length > max && (
        <>
          <span className={styles.others} aria-hidden="true">
            +{names.length - max}
          </span>
          <span className={styles.unseen}>{names.slice(max).map(badge)}</span>
        </>
      )}
    </span>
  )
}

const roomForTwo = 1200

/** As many as a list has room for. */
export const GroupsInRoom = ({ groups }: { groups: string }) => (
  <GroupBadges groups={groups} max={useRoom() >= roomForTwo ? 2 : 1} />
)

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
