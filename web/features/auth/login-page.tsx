import { Anchor } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { SecondFactorDue } from '#shared/api/auth.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useStatus } from '#web/state/status.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { LoginForm } from './login-form.tsx'
import { OtherLogins } from './other-logins.tsx'
import { SecondStep } from './second-step.tsx'
import { useEnter, useEnteredElsewhere } from './use-enter.ts'

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
  const enter = useEnter('/token')
  const [due, setDue] = useState<SecondFactorDue | null>(null)
  useExpiredMessage()
  useEnteredElsewhere('/token')
  if (due)
    return (
      <AuthFrame title={t('auth.secondTitle')}>
        <SecondStep due={due} onDone={enter} onBack={() => setDue(null)} />
      </AuthFrame>
    )
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
      {password_login ? <LoginForm onDue={setDue} /> : <p className="dimmed">{t('auth.passwordOff')}</p>}
      <OtherLogins />
    </AuthFrame>
  )
}
