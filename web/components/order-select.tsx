import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props {
  /** `''` is the default order. */
  orders: ReadonlyArray<{ value: string; label: string }>
  value: string
  onChange: (order: string) => void
}

const standard = 'default'

/** The sort dropdown of a list. */
export function OrderSelect({ orders, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      w={190}
      aria-label={t('table.order')}
      data={orders.map((order) => ({ value: order.value || standard, label: order.label }))}
      value={value || standard}
      onChange={(next) => onChange(next === null || next === standard ? '' : next)}
      allowDeselect={false}
      comboboxProps={{ portalProps: { target: '#floating' } }}
    />
  )
}
