import { limitNames } from '#shared/limits.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WholeNumberInput, type WholeNumberInputProps } from './whole-number-input.tsx'

type FieldProps = Pick<WholeNumberInputProps, 'value' | 'onChange' | 'error'>

/** Requests and tokens a minute, and requests at one time; 0 means no limit. */
export function LimitFields({ field }: { field: (name: (typeof limitNames)[number]) => FieldProps }) {
  const { t } = useTranslation()
  return limitNames.map((name) => (
    <WholeNumberInput key={name} label={t(`forms.limits.${name}`)} description={t('forms.noLimit')} {...field(name)} />
  ))
}
