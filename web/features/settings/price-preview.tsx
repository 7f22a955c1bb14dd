import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { quotaPerUnitDefault } from '#shared/quota.ts'
import { formatUsd } from '#shared/usd.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { pricesQuery } from '#web/state/queries/channel-queries.ts'
import { previewPrices, ratiosIn } from './prices.ts'
import styles from './settings.module.css'
import type { OptionDraft } from './use-option-draft.ts'

const shownMax = 200
const pause = 300

/** What the models named in the ratios cost, in words people know. */
export function PricePreview({ draft }: { draft: OptionDraft }) {
  const { t } = useTranslation()
  const model = ratiosIn(draft.text('ModelRatio'))
  const completion = ratiosIn(draft.text('CompletionRatio'))
  const [names] = useDebouncedValue([...new Set([...Object.keys(model), ...Object.keys(completion)])].join(','), pause)
  const { data: inForce = [] } = useQuery({ ...pricesQuery(names.split(',').filter(Boolean)), meta: ownReport })
  const quotaPerUnit = Number(draft.text('QuotaPerUnit')) || quotaPerUnitDefault
  const prices = previewPrices({ model, completion, quotaPerUnit }, inForce)
  return (
    <div className={styles.preview}>
      <h3 className={styles.previewTitle}>{t('settings.preview.title')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className={styles.previewScroll} tabIndex={0} aria-label={t('settings.preview.title')}>
        {prices.length === 0 ? (
          <p className={styles.previewEmpty}>{t('settings.preview.empty')}</p>
        ) : (
          <table className={styles.previewTable}>
            <thead>
              <tr>
                <th scope="col">{t('settings.preview.model')}</th>
                <th scope="col">{t('settings.preview.input')}</th>
                <th scope="col">{t('settings.preview.output')}</th>
              </tr>
            </thead>
            <tbody>
              {prices.slice(0, shownMax).map((price) => (
                <tr key={price.model}>
                  <th scope="row" className="mono" title={price.model}>
                    {price.model}
                  </th>
                  <td>{formatUsd(price.input)}</td>
                  <td>{formatUsd(price.output)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <p className={styles.previewHint}>
        {t('settings.preview.hint')}{' '}
        {prices.length > shownMax && t('settings.preview.more', { count: prices.length - shownMax })}
      </p>
    </div>
  )
}
