import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from 'react-router'
import { type Team, teamsApi } from '#shared/api/teams.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import { manages } from '#shared/teams.ts'
import { BudgetFields } from '#web/components/form/budget-fields.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { fieldNumber } from '#web/lib/input/typed-number.ts'
import { validateWith } from '#web/lib/zod-form.ts'
import { useUser } from '#web/state/session.tsx'
import styles from './teams.module.css'
import { useTeamChange } from './use-team-change.ts'

interface Values {
  name: string
  budget: number | string
  budget_period: BudgetPeriod
  quota: number | string
}

/** Name and budget for those who manage it, its balance for administrators. */
function changeOf(team: Team, isAdmin: boolean, { name, budget, budget_period, quota }: Values) {
  const own = team.role !== '' && manages(team.role) ? { name, budget: fieldNumber(budget), budget_period } : {}
  const money = isAdmin && quota !== team.quota ? { quota: fieldNumber(quota), quota_before: team.quota } : {}
  return { id: team.id, ...own, ...money }
}

export function SettingsSection({ team }: { team: Team }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { isAdmin } = useUser()
  const isManager = team.role !== '' && manages(team.role)
  const { name, budget, budget_period, quota } = team
  const form = useForm<Values>({
    initialValues: { name, budget, budget_period, quota },
    validate: (values) => validateWith(teamsApi.update.input)(changeOf(team, isAdmin, values)),
  })
  const save = useTeamChange((values: Values) => call(teamsApi.update, changeOf(team, isAdmin, values)))
  const remove = useTeamChange(
    () => call(teamsApi.remove, { id: team.id }),
    () => void navigate('/team'),
  )
  const question = {
    title: t('teams.deleteTitle', { name: team.name }),
    consequence: t('teams.deleteText'),
    verb: t('common.delete'),
  }
  return (
    <section className={styles.section} aria-labelledby="team-settings">
      <h2 id="team-settings">{t('teams.settings')}</h2>
      <form className={styles.settings} onSubmit={form.onSubmit((values) => save.mutate(values))}>
        {isManager && (
          <>
            <TextInput label={t('teams.name')} required maxLength={60} {...form.getInputProps('name')} />
            <BudgetFields field={(field) => form.getInputProps(field)} used={team} />
          </>
        )}
        {isAdmin && <QuotaInput label={t('teams.balance')} {...form.getInputProps('quota')} />}
        <p className={styles.actions}>
          <Button type="submit" variant="filled" loading={save.isPending}>
            {t('forms.save')}
          </Button>
          {(team.role === 'owner' || isAdmin) && (
            <ConfirmButton color="red" question={question} onConfirm={() => remove.mutateAsync(undefined)}>
              {t('teams.delete')}
            </ConfirmButton>
          )}
        </p>
      </form>
    </section>
  )
}
