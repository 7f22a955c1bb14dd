import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dollars, quotaMax } from '#shared/quota.ts'
import { useStatus } from '#web/app/status.tsx'

/** Takes the whole number of quota and says what it is worth as one types. */
export function QuotaInput({ description, ...props }: NumberInputProps) {
  const { t } = useTranslation()
  const { quota_per_unit } = useStatus()
  const worth = t('forms.worth', { money: dollars(Number(props.value ?? 0) || 0, quota_per_unit) })
  return (
    <NumberInput
      min={0}
      max={quotaMax}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      hideControls
      description={
        <>
          {description} {worth}
        </>
      }
      {...props}
    />
  )
}
