import { dollars } from '#shared/quota.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { readQuota, readWhole } from '#web/lib/input/typed-number.ts'
import { useStatus } from '#web/state/status.tsx'
import { WholeNumberInput, type WholeNumberInputProps } from './whole-number-input.tsx'

/** Takes the whole number of quota, or dollars, and says what it is worth as one types. */
export function QuotaInput({ description, ...props }: WholeNumberInputProps) {
  const { t } = useTranslation()
  const { quota_per_unit } = useStatus()
  const quota = readWhole(String(props.value || 0))
  const worth =
    quota !== undefined ? t('forms.worth', { money: dollars(quota, quota_per_unit) }) : t('forms.dollarsToo')
  return (
    <WholeNumberInput
      {...props}
      read={(text) => readQuota(text, quota_per_unit)}
      description={
        <>
          {description} {worth}
        </>
      }
    />
  )
}
