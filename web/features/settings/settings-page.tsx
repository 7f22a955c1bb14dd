import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { PersonalTab } from './personal/personal-tab.tsx'
import styles from './settings.module.css'
import { useOptionDraft } from './use-option-draft.ts'

const everyonesTabs = ['personal'] as const
const adminTabs = ['personal', 'operations', 'system', 'other'] as const

const OptionTab = lazy(async () => ({ default: (await import('./option-tab.tsx')).OptionTab }))

export function SettingsPage() {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const [params] = useSearchParams()
  const tabs = isAdmin ? adminTabs : everyonesTabs
  const current = tabs.find((tab) => tab === params.get('tab')) ?? 'personal'
  const draft = useOptionDraft(isAdmin)
  return (
    <>
      <PageHead title={t('settings.title')} />
      <nav className={styles.tabs} aria-label={t('settings.title')}>
        {tabs.map((tab) => (
          <Link
            key={tab}
            to={tab === 'personal' ? '/setting' : `/setting?tab=${tab}`}
            className={styles.tab}
            aria-current={tab === current ? 'page' : undefined}
          >
            {t(`settings.tabs.${tab}`)}
          </Link>
        ))}
      </nav>
      <Suspense>
        {current === 'personal' ? <PersonalTab /> : <OptionTab key={current} name={current} draft={draft} />}
      </Suspense>
    </>
  )
}
