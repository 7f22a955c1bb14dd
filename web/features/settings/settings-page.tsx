import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { LeaveGuard } from '#web/components/form/leave-guard.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PageTabs } from '#web/components/page/page-tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { useOptionDraft } from './use-option-draft.ts'

const everyonesTabs = ['personal'] as const
const adminTabs = ['personal', 'operations', 'system', 'other'] as const

const PersonalTab = lazy(async () => ({ default: (await import('./personal/personal-tab.tsx')).PersonalTab }))
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
      <PageTabs
        label={t('settings.title')}
        tabs={tabs.map((tab) => ({
          to: tab === 'personal' ? '/setting' : `/setting?tab=${tab}`,
          name: t(`settings.tabs.${tab}`),
          current: tab === current,
        }))}
      />
      <LeaveGuard dirty={draft.edited} />
      <Suspense>
        {current === 'personal' ? <PersonalTab /> : <OptionTab key={current} name={current} draft={draft} />}
      </Suspense>
    </>
  )
}
