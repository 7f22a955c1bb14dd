import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { authApi } from '#shared/api/auth.ts'
import { useBotCheck } from '#web/hooks/use-bot-check.tsx'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored } from '#web/lib/storage.ts'
import { toast } from '#web/lib/toast.tsx'
import { useStatus } from '#web/state/status.tsx'
import styles from './auth.module.css'
import { EmailCodeFields } from './email-code-fields.tsx'
import { type RegisterValues, useRegisterForm } from './use-register-form.ts'

export function RegisterForm() {
  const { t } = useTranslation()
  const { email_verification } = useStatus()
  const navigate = useNavigate()
  const check = useBotCheck()
  const form = useRegisterForm()
  const register = useMutation({
    mutationFn: (values: RegisterValues) =>
      call(authApi.register, { ...values, aff_code: readStored('aff'), turnstile: check.token }),
    onSuccess: async () => {
      await navigate('/login')
      toast.success(t('auth.registerDone'))
    },
    onError: check.renew,
  })
  const submit = (values: RegisterValues) => {
    if (check.passed) register.mutate(values)
    else toast.info(t('auth.checkRunning'))
  }
  const visibility = { 'aria-label': t('common.showPassword') }
  return (
    <form className={styles.fields} onSubmit={form.onSubmit(submit)} noValidate>
      <TextInput
        label={t('auth.username')}
        placeholder={t('auth.usernameHint')}
        autoComplete="username"
        autoCapitalize="none"
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label={t('auth.password')}
        placeholder={t('auth.passwordHint')}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibility}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <PasswordInput
        label={t('auth.repeatPassword')}
        placeholder={t('auth.passwordHint')}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibility}
        key={form.key('password2')}
        {...form.getInputProps('password2')}
      />
      {email_verification && <EmailCodeFields form={form} check={check} />}
      {check.widget}
      <Button type="submit" variant="filled" loading={register.isPending}>
        {t('auth.register')}
      </Button>
    </form>
  )
}
