import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { authApi } from '#shared/api/auth.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { leaveFreely } from '#web/state/leaving.ts'
import { useUser } from '#web/state/session.tsx'

/** Ends the session on the server and here, and goes to the login. */
export function useSignOut(): () => void {
  const { t } = useTranslation()
  const { signOut } = useUser()
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: () => call(authApi.logout),
    onSuccess: () => {
      signOut()
      leaveFreely(() => void navigate('/login'))
      toast.success(t('shell.signedOut'))
    },
  })
  return mutate
}
