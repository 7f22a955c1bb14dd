import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channelsApi } from '#shared/api/channels.ts'
import { call } from '#web/lib/api.ts'
import styles from './channels.module.css'

/** Addresses have a length limit: the names go in parts. */
const partSize = 100

async function unpricedOf(models: readonly string[]): Promise<string[]> {
  const parts = Array.from({ length: Math.ceil(models.length / partSize) }, (_, part) =>
    models.slice(part * partSize, (part + 1) * partSize),
  )
  const prices = await Promise.all(parts.map((names) => call(channelsApi.prices, { models: names.join(',') })))
  return prices.flat().flatMap(({ model, input, output }) => (input === null && output === null ? [model] : []))
}

/** Which of the models nobody could be billed for, and where to change that. */
export function UnpricedModels({ models }: { models: readonly string[] }) {
  const { t } = useTranslation()
  const [asked] = useDebouncedValue(models, 300)
  const { data = [] } = useQuery({
    queryKey: ['prices', asked],
    queryFn: () => unpricedOf(asked),
    placeholderData: keepPreviousData,
  })
  const unpriced = data.filter((model) => models.includes(model))
  return (
    <div role="status">
      {unpriced.length > 0 && (
        <p className={styles.unpriced}>
          {t('channels.form.unpriced', { count: unpriced.length })} <code>{unpriced.join(', ')}</code>.{' '}
          <Link to="/setting?tab=operations#ratios">{t('channels.form.setPrice')}</Link>
        </p>
      )}
    </div>
  )
}
