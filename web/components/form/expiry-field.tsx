import { formatTime, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { FieldLinks } from './form-page.tsx'
import { TimeField, type TimeFieldProps } from './time-field.tsx'

const quick = { month: 30 * 86_400, day: 86_400, hour: 3600, minute: 60 } as const
const periods = ['month', 'day', 'hour', 'minute'] as const

/** When something ends, with the usual choices as links. Empty means never. */
export function ExpiryField(props: TimeFieldProps) {
  const { t } = useTranslation()
  const { onChange } = props
  const links = [
    { label: t('forms.quick.never'), run: () => onChange('') },
    ...periods.map((period) => ({
      label: t(`forms.quick.${period}`),
      run: () => onChange(formatTime(nowSeconds() + quick[period])),
    })),
  ]
  return (
    <div>
      <TimeField label={t('forms.expiry')} description={t('forms.expiryHelp')} {...props} />
      <FieldLinks links={links} />
    </div>
  )
}
