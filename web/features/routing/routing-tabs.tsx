import type { ReactNode } from 'react'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PageTabs } from '#web/components/page/page-tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const addresses = { explain: '/routing', simulate: '/routing/simulate' } as const
const tabs = ['explain', 'simulate'] as const

export function RoutingTabs({ current, children }: { current: (typeof tabs)[number]; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHead title={t('routing.title')}>{children}</PageHead>
      <PageTabs
        label={t('routing.title')}
        tabs={tabs.map((tab) => ({ to: addresses[tab], name: t(`routing.${tab}`), current: tab === current }))}
      />
    </>
  )
}
