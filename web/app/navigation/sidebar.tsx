import { useId } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { type NavItems, useNavItems } from './nav-items.ts'
import { NavLink } from './nav-link.tsx'
import styles from './sidebar.module.css'

/** The navigation at the left of a wide screen. */
export function Sidebar() {
  const { t } = useTranslation()
  return (
    <nav className={styles.side} aria-label={t('shell.navigation')}>
      {useNavItems().map((group) => (
        <Group key={group.group} {...group} />
      ))}
    </nav>
  )
}

function Group({ group, items }: NavItems) {
  const { t } = useTranslation()
  const word = useId()
  const named = group === 'more' ? { 'aria-label': t('shell.groups.more') } : { 'aria-labelledby': word }
  return (
    // biome-ignore lint/a11y/useSemanticElements: links are no fields
    <div role="group" {...named} className={styles.group} data-group={group}>
      {group !== 'more' && (
        <span id={word} className={styles.word}>
          {t(`shell.groups.${group}`)}
        </span>
      )}
      {items.map((item) => (
        <NavLink key={item.page.path} item={item} className={styles.item} />
      ))}
    </div>
  )
}
