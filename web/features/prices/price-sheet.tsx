import { Button, Modal, TextInput } from '@mantine/core'
import type { PriceRow } from '#shared/api/prices.ts'
import { useFocusBack } from '#web/hooks/use-focus-back.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { isEditable } from './price-cells.tsx'
import styles from './prices.module.css'
import { type PriceDraft, priceFields } from './use-price-draft.ts'

const labels = { input_usd: 'input', cache_read_usd: 'cached', output_usd: 'output' } as const

interface Props {
  row: PriceRow
  draft: PriceDraft
  onClose: () => void
}

/** The prices of one model where a table has no room for fields. */
export function PriceSheet({ row, draft, onClose }: Props) {
  useFocusBack()
  const { t } = useTranslation()
  const fields = priceFields.filter((field) => isEditable(row, field))
  return (
    <Modal
      opened
      fullScreen
      onClose={onClose}
      title={<span className="mono">{row.model}</span>}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.sheet}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
        }}
      >
        {fields.length === 0 && <p>{t('prices.byOther', { unit: t(`prices.by.${row.unit}`) })}</p>}
        {fields.map((field) => (
          <TextInput
            key={field}
            label={t(`prices.${labels[field]}`)}
            inputMode="decimal"
            placeholder="–"
            value={draft.textOf(row, field)}
            error={draft.isWrong(row, field) && t('prices.notNumber')}
            onChange={(event) => draft.change(row, field, event.currentTarget.value)}
          />
        ))}
        <Button type="submit" variant="filled">
          {t('prices.keep')}
        </Button>
      </form>
    </Modal>
  )
}
