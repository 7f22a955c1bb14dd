import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { redemptionDefaults } from '#shared/api/redemptions.ts'
import { Loaded } from '#web/components/page/loaded.tsx'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { redemptionQuery } from '#web/state/queries/redemption-queries.ts'
import { RedemptionForm } from './redemption-form.tsx'

export function RedemptionFormPage() {
  const { id } = useParams()
  return id === undefined ? (
    <RedemptionForm initial={{ ...redemptionDefaults, expired_time: '' }} />
  ) : (
    <RedemptionEdit key={id} id={Number(id)} />
  )
}

function RedemptionEdit({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useQuery(redemptionQuery(id))
  const crumb = { label: t('redemptions.title'), to: '/redemption' }
  return (
    <Loaded query={query} title={t('pages.redemptionEdit')} crumb={crumb}>
      {({ name, quota, expired_time: ends }) => (
        <RedemptionForm id={id} initial={{ name, quota, count: 1, expired_time: ends > 0 ? formatTime(ends) : '' }} />
      )}
    </Loaded>
  )
}
