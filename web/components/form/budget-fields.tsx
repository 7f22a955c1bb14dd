import { NativeSelect } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { budgetPeriods } from '#shared/budget.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { FieldPair } from './form-page.tsx'
import { QuotaInput } from './quota-input.tsx'

/** A budget and how often it begins anew; 0 means none. */
export function BudgetFields({ field }: { field: (name: 'budget' | 'budget_period') => GetInputPropsReturnType }) {
  const { t } = useTranslation()
  return (
    <FieldPair>
      <QuotaInput label={t('forms.budget')} description={t('forms.budgetHelp')} {...field('budget')} />
      <NativeSelect
        label={t('forms.budgetPeriod')}
        data={budgetPeriods.map((value) => ({ value, label: t(`forms.periods.${value}`) }))}
        {...field('budget_period')}
      />
    </FieldPair>
  )
}
