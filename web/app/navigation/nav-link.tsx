import { Link } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import type { NavItem } from './nav-items.ts'

interface Props {
  item: NavItem
  className: string | undefined
  onClick?: () => void
}

/** An item of the navigation; its page is fetched as the pointer comes near. */
export function NavLink({ item: { page, name, current }, className, onClick }: Props) {
  const { t } = useTranslation()
  const preload = () => void page.load().catch(() => undefined)
  return (
    <Link
      to={page.path}
      aria-current={current}
      className={className}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={onClick}
    >
      {t(`pages.${name}`)}
    </Link>
  )
}
