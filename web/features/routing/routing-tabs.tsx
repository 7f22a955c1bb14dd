import { Link } from 'react-router'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './routing.module.css'

const tabs = { explain: '/routing', simulate: '/routing/simulate' } as const

export function RoutingTabs({ current }: { current: keyof typeof tabs }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHead title={t('routing.title')} />
      <nav className={styles.tabs} aria-label={t('routing.title')}>
        {(Object.keys(tabs) as (keyof typeof tabs)[]).map((tab) => (
          <Link key={tab} to={tabs[tab]} className={styles.tab} aria-current={tab === current ? 'page' : undefined}>
            {t(`routing.${tab}`)}
          </Link>
        ))}
      </nav>
    </>
  )
}
