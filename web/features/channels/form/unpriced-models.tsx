import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import styles from '#web/features/channels/channels.module.css'
import { useTranslation } from '#web/lib/i18n.ts'
import { pricesQuery } from '#web/state/queries/channel-queries.ts'

/** Which of the models nobody could be billed for, and where to change that. */
export function UnpricedModels({ models }: { models: readonly string[] }) {
  const { t } = useTranslation()
  const [asked] = useDebouncedValue(models, 300)
  const { data = [] } = useQuery(pricesQuery(asked))
  const unpriced = data
    .filter(({ model, input, output }) => input === null && output === null && models.includes(model))
    .map(({ model }) => model)
  return (
    <div role="status">
      {unpriced.length > 0 && (
        <p className={styles.unpriced}>
          {t('channels.form.unpriced', { count: unpriced.length })} <code>{unpriced.join(t('common.comma'))}</code>{' '}
          <Link to="/setting?tab=operations#ratios">{t('channels.form.setPrice')}</Link>
        </p>
      )}
    </div>
  )
}
