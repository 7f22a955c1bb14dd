import { MultiSelect } from '@mantine/core'
import { routeNeeds } from '#shared/api/routing.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type Need = (typeof routeNeeds)[number]

interface Props {
  value: readonly Need[]
  onChange: (needs: Need[]) => void
}

/** What the request needs of the model. */
export function NeedsPicker({ value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <MultiSelect
      label={t('routing.needs')}
      placeholder={value.length === 0 ? t('routing.nothingSpecial') : ''}
      data={routeNeeds.map((need) => ({ value: need, label: t(`models.words.${need}`) }))}
      value={[...value]}
      onChange={(chosen) => onChange(routeNeeds.filter((need) => chosen.includes(need)))}
      comboboxProps={{ portalProps: { target: '#floating' } }}
    />
  )
}
