import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { type User, usersApi } from '#shared/api/users.ts'
import { GroupField } from '#web/components/choices/group-field.tsx'
import { BudgetFields } from '#web/components/form/budget-fields.tsx'
import { FormPage, FormSection, SaveBar } from '#web/components/form/form-page.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { Loaded } from '#web/components/page/loaded.tsx'
import { useSave } from '#web/hooks/use-save.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { validateWith } from '#web/lib/zod-form.ts'
import { userQuery } from '#web/state/queries/user-queries.ts'
import { AccountFields } from './account-fields.tsx'
import { BoundAccounts } from './bound-accounts.tsx'
import { ClearSecondFactor } from './clear-second-factor.tsx'
import { changeOf, type UserValues, valuesOf } from './user-values.ts'

export function UserEditPage() {
  const { t } = useTranslation()
  const id = Number(useParams().id)
  const query = useQuery(userQuery(id))
  return (
    <Loaded key={id} query={query} title={t('pages.userEdit')} crumb={{ label: t('users.title'), to: '/user' }}>
      {(user) => <UserForm user={user} />}
    </Loaded>
  )
}

function UserForm({ user: loaded }: { user: User }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [user] = useState(loaded)
  const form = useForm({
    initialValues: valuesOf(user),
    validate: (values) => validateWith(usersApi.update.input)(changeOf(user, values)),
  })
  const save = useSave({
    name: 'users',
    send: (values: UserValues) => call(usersApi.update, changeOf(user, values)),
    done: t('users.updatedToast'),
    back: '/user',
  })
  return (
    <FormPage
      title={t('pages.userEdit')}
      crumb={{ label: t('users.title'), to: '/user' }}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      dirty={form.isDirty() && !save.isSuccess}
    >
      <FormSection title={t('users.account')} hint={t('users.accountHint')}>
        <AccountFields field={(name) => form.getInputProps(name)} />
      </FormSection>
      <FormSection title={t('users.rights')} hint={t('users.rightsHint')}>
        <GroupField
          label={t('users.group')}
          description={t('users.groupHelp')}
          {...form.getInputProps('group')}
          value={form.values.group}
        />
        <QuotaInput label={t('users.remainingQuota')} {...form.getInputProps('quota')} />
        <BudgetFields field={(name) => form.getInputProps(name)} used={user} />
      </FormSection>
      <BoundAccounts user={user} />
      <ClearSecondFactor user={user} />
      <SaveBar
        errors={Object.keys(form.errors).length}
        submit={t('forms.save')}
        saving={save.isPending}
        secondary={{ label: t('common.cancel'), run: () => void navigate('/user') }}
      />
    </FormPage>
  )
}
