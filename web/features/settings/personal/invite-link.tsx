import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountApi } from '#shared/api/account.ts'
import { call } from '#web/lib/api.ts'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { ShownOnce } from './shown-once.tsx'

export function InviteLink() {
  const { t } = useTranslation()
  const copy = useMutation({
    mutationFn: async () => `${window.location.origin}/register?aff=${await call(accountApi.affiliateCode)}`,
    onSuccess: async (link) => {
      if (await copyText(link)) toast.success(t('settings.personal.inviteDone'))
      else toast.warning(t('common.copyByHand'))
    },
  })
  return (
    <>
      <Button loading={copy.isPending} onClick={() => copy.mutate()}>
        {t('settings.personal.copyInvite')}
      </Button>
      {copy.data && <ShownOnce label={t('settings.personal.inviteLink')} value={copy.data} />}
    </>
  )
}
