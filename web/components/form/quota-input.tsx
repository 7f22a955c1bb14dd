import { dollars } from '#shared/quota.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useStatus } from '#web/state/status.tsx'
import { WholeNumberInput, type WholeNumberInputProps } from './whole-number-input.tsx'

/** Takes the whole number of quota and says what it is worth as one types. */
export function QuotaInput({ description, ...props }: WholeNumberInputProps) {
  const { t } = useTranslation()
  const { quota_per_unit } = useStatus()
  const worth = t('forms.worth', { money: dollars(Number(props.value ?? 0) || 0, quota_per_unit) })
  return (
    <WholeNumberInput
      {...props}
      description={
        <>
          {description} {worth}
        </>
      }
    />
  )
}
