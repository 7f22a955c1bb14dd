import { type UseFormReturnType, useForm } from '@mantine/form'
import { Registration } from '#shared/api/auth.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { validateWith } from '#web/lib/zod-form.ts'
import { useStatus } from '#web/state/status.tsx'

const empty = { username: '', password: '', password2: '', email: '', verification_code: '' }
export type RegisterValues = typeof empty
export type RegisterFormState = UseFormReturnType<RegisterValues>

export function useRegisterForm(): RegisterFormState {
  const { t } = useTranslation()
  const { email_verification } = useStatus()
  const byContract = validateWith<RegisterValues>(Registration)
  return useForm({
    mode: 'uncontrolled',
    initialValues: empty,
    validate: (values) => {
      const errors = byContract(values)
      if (values.password === '') errors.password = t('auth.needPassword')
      if (values.password2 !== values.password) errors.password2 ??= t('auth.passwordsDiffer')
      if (email_verification && values.email.trim() === '') errors.email ??= t('auth.needEmail')
      if (email_verification && values.verification_code.trim() === '') errors.verification_code ??= t('auth.needCode')
      return errors
    },
  })
}
