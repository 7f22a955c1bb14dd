import { Button, TextInput } from '@mantine/core'
import type { PriceRow } from '#shared/api/prices.ts'
import { formatUsd } from '#shared/usd.ts'
import { Facts } from '#web/components/form/form-page.tsx'
import { SidePanel } from '#web/components/page/side-panel.tsx'
import { useWide } from '#web/hooks/screen/use-wide.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
import { costText, refusedText } from './price-words.ts'
import styles from './prices.module.css'
import { fieldsOf, type PriceDraft } from './use-price-draft.ts'

const labels = { input_usd: 'input', cache_read_usd: 'cached', output_usd: 'output' } as const

interface Props {
  row: PriceRow
  draft: PriceDraft
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onClose: () => void
}

/** The prices of one model: what a table has no room for, and on a phone all of them. */
export function PricePanel({ row, draft, onUp, onDown, onClose }: Props) {
  const { t, language } = useTranslation()
  const wide = useWide()
  const fields = fieldsOf(row)
  const labelOf = (field: (typeof fields)[number]) =>
    fields.length === 1 ? t('prices.each', { unit: t(`prices.by.${row.unit}`) }) : t(`prices.${labels[field]}`)
  return (
    <SidePanel
      entry={row.model}
      label={row.model}
      title={row.model}
      mono
      lead={
        row.source === 'none'
          ? refusedText(t, language, row)
          : t('prices.sourceAndUnit', { source: t(`prices.sources.${row.source}`), unit: t(`prices.by.${row.unit}`) })
      }
      onUp={onUp}
      onDown={onDown}
      onClose={onClose}
    >
      <form
        className={styles.sheet}
        onSubmit={(event) => {
          event.preventDefault()
          if (!wide) onClose()
        }}
      >
        {fields.map((field) => (
          <TextInput
            key={field}
            label={labelOf(field)}
            inputMode="decimal"
            placeholder="–"
            value={draft.textOf(row, field)}
            error={draft.isWrong(row, field) && t('prices.notNumber')}
            onChange={(event) => draft.change(row, field, event.currentTarget.value)}
          />
        ))}
        {!wide && (
          <Button type="submit" variant="filled">
            {t('prices.keep')}
          </Button>
        )}
      </form>
      {row.pictures.length > 0 && <Sizes row={row} draft={draft} />}
      <div className={styles.aside}>
        <Facts
          facts={[
            { label: t('prices.listPrice'), value: row.list ? formatUsd(row.list.input_usd) : '–' },
            { label: t('prices.costBand'), value: costText(t, row) },
            { label: t('prices.marginOf'), value: formatShare(row.margin) },
          ]}
        />
      </div>
    </SidePanel>
  )
}

/** What each size costs; all move with the one price that is typed. */
function Sizes({ row, draft }: { row: PriceRow; draft: PriceDraft }) {
  const { t } = useTranslation()
  const factor = draft.factorOf(row)
  return (
    <table className={styles.sizes}>
      <thead>
        <tr>
          <th scope="col">{t('prices.size')}</th>
          <th scope="col">{t('prices.by.picture')}</th>
        </tr>
      </thead>
      <tbody>
        {row.pictures.map(({ kind, usd }) => (
          <tr key={kind}>
            <th scope="row">{kind.replace('/', ', ').replace('x', ' × ')}</th>
            <td>
              {factor !== 1 && <span className={styles.now}>{formatUsd(usd)} → </span>}
              <span className={factor === 1 ? undefined : styles.then}>
                {formatUsd(Number((usd * factor).toFixed(9)))}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
