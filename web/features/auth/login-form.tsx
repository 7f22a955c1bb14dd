import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { authApi, Login, type SecondFactorDue } from '#shared/api/auth.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { validateWith } from '#web/lib/zod-form.ts'
import { useUser } from '#web/state/session.tsx'
import styles from './auth.module.css'
import { useEnter } from './use-enter.ts'

/** Name and password; `onDue` where a second factor is asked for. */
export function LoginForm({ onDue }: { onDue: (due: SecondFactorDue) => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { signIn } = useUser()
  const enter = useEnter('/token')
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: validateWith(Login),
  })
  const login = useMutation({
    mutationFn: (values: { username: string; password: string }) => call(authApi.login, values),
    onSuccess: (answer) => {
      if ('ticket' in answer) return onDue(answer)
      const { default_password, ...user } = answer
      if (!default_password) return enter(user)
      signIn(user)
      toast.warning(t('auth.changeRootPassword'))
      void navigate('/user/edit', { replace: true, state: { thenTo: '/' } })
    },
  })
  return (
    <form className={styles.fields} onSubmit={form.onSubmit((values) => login.mutate(values))} noValidate>
      <TextInput
        label={t('auth.usernameOrEmail')}
        autoComplete="username"
        autoCapitalize="none"
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label={t('auth.password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <Button type="submit" variant="filled" loading={login.isPending}>
        {t('auth.logIn')}
      </Button>
      <div>
        <Anchor component={Link} to="/reset" inherit underline="always">
          {t('auth.forgot')}
        </Anchor>
      </div>
    </form>
  )
}
