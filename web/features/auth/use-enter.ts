import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { LoginUser } from '#shared/api/auth.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { type Origin, useUser } from '#web/state/session.tsx'

const originOf = (state: unknown): string | undefined => {
  const from = (state as Partial<Origin> | null)?.from
  return typeof from === 'string' && from.startsWith('/') ? from : undefined
}

/** Keeps the user and goes on: to where he came from, or to `fallback`. */
export function useEnter(fallback: string): (user: LoginUser) => void {
  const { t } = useTranslation()
  const { signIn } = useUser()
  const navigate = useNavigate()
  const { state } = useLocation()
  return (user) => {
    signIn(user)
    toast.success(t('auth.loginDone'))
    void navigate(originOf(state) ?? fallback, { replace: true })
  }
}

/** Whoever logs in in another tab goes on in this one, too. */
export function useEnteredElsewhere(fallback: string): void {
  const navigate = useNavigate()
  const { state } = useLocation()
  useEffect(() => {
    // Comes from other tabs alone.
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === 'user' && newValue !== null) void navigate(originOf(state) ?? fallback, { replace: true })
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [state, fallback, navigate])
}
