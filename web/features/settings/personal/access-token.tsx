import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountApi } from '#shared/api/account.ts'
import { call } from '#web/lib/api.ts'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { ShownOnce } from './shown-once.tsx'

export function AccessToken() {
  const { t } = useTranslation()
  const make = useMutation({
    mutationFn: () => call(accountApi.accessToken),
    onSuccess: async (token) => {
      if (await copyText(token)) toast.success(t('settings.personal.tokenDone'))
      else toast.warning(t('common.copyByHand'))
    },
  })
  return (
    <>
      <Button loading={make.isPending} onClick={() => make.mutate()}>
        {t('settings.personal.generate')}
      </Button>
      {make.data && (
        <ShownOnce label={t('settings.personal.token')} value={make.data} help={t('settings.personal.tokenHelp')} />
      )}
    </>
  )
}
