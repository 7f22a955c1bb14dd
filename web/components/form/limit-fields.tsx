import { limitNames } from '#shared/limits.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { FieldTriple } from './form-page.tsx'
import { WholeNumberInput, type WholeNumberInputProps } from './whole-number-input.tsx'

type FieldProps = Pick<WholeNumberInputProps, 'value' | 'onChange' | 'error'>
type LimitName = (typeof limitNames)[number]

interface Props {
  field: (name: LimitName) => FieldProps
  /** What counts on each of them now. */
  used?: Partial<Record<`${LimitName}_used`, number | undefined>>
}

/** Requests and tokens a minute, and requests at one time; 0 means no limit. */
export function LimitFields({ field, used = {} }: Props) {
  const { t } = useTranslation()
  const help = (name: LimitName) => {
    const count = used[`${name}_used`]
    return count === undefined ? t('forms.noLimit') : t(`forms.limitsUsed.${name}`, { count: formatCount(count) })
  }
  return (
    <FieldTriple>
      {limitNames.map((name) => (
        <WholeNumberInput key={name} label={t(`forms.limits.${name}`)} description={help(name)} {...field(name)} />
      ))}
    </FieldTriple>
  )
}
