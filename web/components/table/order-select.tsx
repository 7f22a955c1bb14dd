import { NativeSelect } from '@mantine/core'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  /** `''` is the default order. */
  orders: ReadonlyArray<{ value: string; label: string }>
  value: string
  onChange: (order: string) => void
}

/** The sort dropdown of a list. */
export function OrderSelect({ orders, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      w={190}
      aria-label={t('table.order')}
      data={orders.map((order) => ({ value: order.value, label: order.label }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
