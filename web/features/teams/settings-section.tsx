import { Button, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { type Team, teamsApi } from '#shared/api/teams.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import { manages } from '#shared/teams.ts'
import { BudgetFields } from '#web/components/form/budget-fields.tsx'
import { LeaveGuard } from '#web/components/form/leave-guard.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { fieldNumber, numberOrNone } from '#web/lib/input/typed-number.ts'
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

const valuesOf = ({ name, budget, budget_period, quota }: Team): Values => ({ name, budget, budget_period, quota })

/** Name and budget for those who manage it, its balance for administrators: what it was when they began to type, and is to be. */
function changeOf(team: Team, isAdmin: boolean, { values, before }: { values: Values; before: Values }) {
  const { name, budget, budget_period, quota } = values
  const own = team.role !== '' && manages(team.role) ? { name, budget: numberOrNone(budget), budget_period } : {}
  const money =
    isAdmin && quota !== before.quota ? { quota: fieldNumber(quota), quota_before: fieldNumber(before.quota) } : {}
  return { id: team.id, ...own, ...money }
}

export function SettingsSection({ team }: { team: Team }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { isAdmin } = useUser()
  const isManager = team.role !== '' && manages(team.role)
  const form: UseFormReturnType<Values> = useForm<Values>({
    initialValues: valuesOf(team),
    validate: (values) => validateWith(teamsApi.update.input)(changed(values)),
  })
  const changed = (values: Values) => changeOf(team, isAdmin, { values, before: form.getInitialValues() })
  const isDirty = form.isDirty()
  const refill = useEffectEvent(() => {
    if (isDirty) return
    form.setValues(valuesOf(team))
    form.resetDirty()
  })
  // What others change or spend meanwhile is shown, but never over what is being typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a team that was read anew is what calls for it
  useEffect(() => refill(), [team])
  const save = useTeamChange(
    (values: Values) => call(teamsApi.update, changed(values)),
    (_, values) => form.resetDirty(values),
  )
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
            <ConfirmButton
              variant="outline"
              color="red"
              question={question}
              onConfirm={() => remove.mutateAsync(undefined)}
            >
              {t('teams.delete')}
            </ConfirmButton>
          )}
        </p>
      </form>
      <LeaveGuard dirty={isDirty} />
    </section>
  )
}
