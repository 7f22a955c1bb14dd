import { Anchor } from '@mantine/core'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { store } from '#web/lib/storage.ts'
import { useStatus } from '#web/state/status.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { RegisterForm } from './register-form.tsx'

/** Keeps the invitation code of the address until an account is made. */
function useInvitation() {
  const [params] = useSearchParams()
  const code = params.get('aff')
  useEffect(() => {
    if (code) store('aff', code)
  }, [code])
}

export function RegisterPage() {
  const { t } = useTranslation()
  const { register, password_register } = useStatus()
  useInvitation()
  const lead = (
    <>
      {t('auth.haveAccount')}{' '}
      <Anchor component={Link} to="/login" inherit underline="always">
        {t('auth.logIn')}
      </Anchor>
    </>
  )
  return (
    <AuthFrame title={t('auth.register')} lead={lead}>
      {register && password_register && <RegisterForm />}
      {!register && <p>{t('auth.closed')}</p>}
      {register && !password_register && <p>{t('auth.passwordRegisterOff')}</p>}
    </AuthFrame>
  )
}
