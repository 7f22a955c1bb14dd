import { NativeSelect } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { type BudgetFields as Budget, budgetPeriods } from '#shared/budget.ts'
import { UsedTrack } from '#web/components/data/budget-bar.tsx'
import { useQuotaWords } from '#web/hooks/use-quota-words.ts'
import { formatMinute } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './budget-fields.module.css'
import { FieldPair } from './form-page.tsx'
import { QuotaInput } from './quota-input.tsx'

interface Props {
  field: (name: 'budget' | 'budget_period') => GetInputPropsReturnType
  /** What the period that runs has used, and when it ends. */
  used?: Budget | undefined
}

/** A budget and how often it begins anew; 0 means none. */
export function BudgetFields({ field, used }: Props) {
  const { t } = useTranslation()
  const words = useQuotaWords()
  return (
    <>
      <FieldPair>
        <QuotaInput label={t('forms.budget')} description={t('forms.budgetHelp')} {...field('budget')} />
        <NativeSelect
          label={t('forms.budgetPeriod')}
          data={budgetPeriods.map((value) => ({ value, label: t(`forms.periods.${value}`) }))}
          {...field('budget_period')}
        />
      </FieldPair>
      {used && used.budget > 0 && (
        <div className={styles.used}>
          <UsedTrack share={used.budget_used / used.budget} />
          <span>
            {t('forms.budgetUsed', {
              used: words(used.budget_used),
              percent: Math.floor((used.budget_used / used.budget) * 100),
            })}
          </span>
          <span>{t('forms.budgetResets', { time: formatMinute(used.budget_resets_at) })}</span>
        </div>
      )}
    </>
  )
}
