import { useEffect, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { authApi } from '#shared/api/auth.ts'
import { callEnvelope } from '#web/lib/api.ts'
import { reportFailure } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useUser } from '#web/state/session.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Finishes a login or a binding with all that the provider sent along. */
export function OidcPage() {
  const { t } = useTranslation()
  const { signIn, user } = useUser()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const started = useRef(false)

  useEffect(() => {
    const finish = async () => {
      const query = Object.fromEntries(params)
      const { message, data } = await callEnvelope(authApi.oidc, { ...query, state: params.get('state') ?? '' })
      if (data && message !== 'bind') signIn(data)
      toast.success(t(message === 'bind' ? 'auth.oidcBound' : 'auth.loginDone'))
      await navigate(message === 'bind' ? '/setting' : '/', { replace: true })
    }
    const giveUp = async (error: unknown) => {
      reportFailure(error)
      await navigate(user ? '/setting' : '/login', { replace: true })
    }
    // The code is good for one call, and development draws every page twice.
    if (started.current) return
    started.current = true
    finish().catch(giveUp)
  }, [params, navigate, signIn, user, t])

  return (
    <AuthFrame title={t('pages.oidc')}>
      <p role="status">{t('auth.oidcWorking')}</p>
    </AuthFrame>
  )
}
