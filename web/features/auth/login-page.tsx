import { Anchor } from '@mantine/core'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useStatus } from '#web/state/status.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { LoginForm } from './login-form.tsx'
import { OtherLogins } from './other-logins.tsx'

function useExpiredMessage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const expired = params.get('expired') === 'true'
  const banned = params.get('banned') === 'true'
  useEffect(() => {
    if (expired) toast.error(t('auth.expired'), { id: 'expired' })
    if (banned) toast.error(t('auth.banned'), { id: 'banned' })
  }, [expired, banned, t])
}

export function LoginPage() {
  const { t } = useTranslation()
  const { password_login, register } = useStatus()
  useExpiredMessage()
  const lead = register && (
    <>
      {t('auth.newHere')}{' '}
      <Anchor component={Link} to="/register" inherit underline="always">
        {t('auth.register')}
      </Anchor>
    </>
  )
  return (
    <AuthFrame title={t('auth.logIn')} lead={lead}>
      {password_login ? <LoginForm /> : <p className="dimmed">{t('auth.passwordOff')}</p>}
      <OtherLogins />
    </AuthFrame>
  )
}
