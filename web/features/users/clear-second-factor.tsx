import { useMutation } from '@tanstack/react-query'
import { type User, usersApi } from '#shared/api/users.ts'
import { isRoot } from '#shared/roles.ts'
import { FormSection } from '#web/components/form/form-page.tsx'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useUser } from '#web/state/session.tsx'

/** The way back for somebody who has lost the second factor; the super administrator's. */
export function ClearSecondFactor({ user }: { user: User }) {
  const { t } = useTranslation()
  const { user: own } = useUser()
  const clear = useMutation({
    mutationFn: () => call(usersApi.manage, { username: user.username, action: 'clear_second_factor' }),
    onSuccess: () => toast.success(t('common.done')),
  })
  if (!isRoot(own?.role ?? 0) || isRoot(user.role)) return null
  const question = {
    title: t('security.clearQuestion', { name: user.username }),
    consequence: t('security.clearHelp'),
    verb: t('security.clear'),
  }
  return (
    <FormSection title={t('settings.groups.security.title')}>
      <div>
        <ConfirmButton question={question} onConfirm={() => clear.mutateAsync().catch(() => {})}>
          {t('security.clear')}
        </ConfirmButton>
      </div>
    </FormSection>
  )
}
