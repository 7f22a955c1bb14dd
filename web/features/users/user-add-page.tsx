import { useForm } from '@mantine/form'
import { useNavigate } from 'react-router'
import { usersApi } from '#shared/api/users.ts'
import { FormPage, FormSection, SaveBar } from '#web/components/form/form-page.tsx'
import { useSave } from '#web/hooks/use-save.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { validateWith } from '#web/lib/zod-form.ts'
import { AccountFields } from './account-fields.tsx'
import { noAccount } from './user-values.ts'

export function UserAddPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useForm({ initialValues: noAccount, validate: validateWith(usersApi.create.input) })
  const save = useSave({
    name: 'users',
    send: (values: typeof noAccount) => call(usersApi.create, values),
    done: t('users.createdToast'),
    back: '/user',
  })
  return (
    <FormPage
      title={t('pages.userAdd')}
      crumb={{ label: t('users.title'), to: '/user' }}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      dirty={form.isDirty() && !save.isSuccess}
    >
      <FormSection title={t('users.account')} hint={t('users.accountHint')}>
        <AccountFields field={(name) => form.getInputProps(name)} creating />
      </FormSection>
      <SaveBar
        errors={Object.keys(form.errors).length}
        submit={t('users.submitAdd')}
        saving={save.isPending}
        secondary={{ label: t('common.cancel'), run: () => void navigate('/user') }}
      />
    </FormPage>
  )
}
