import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Token, tokensApi } from '#shared/api/tokens.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { RotateKey } from './rotate-key.tsx'

const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }))

/** What can be done to a token apart from its form: its key used, exchanged, or switched off. */
export function TokenTools({ token }: { token: Token }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [connecting, setConnecting] = useState(false)
  const isOn = token.status === tokenStatus.enabled
  const toggle = useMutation({
    mutationFn: () =>
      call(tokensApi.update, {
        id: token.id,
        status: isOn ? tokenStatus.disabled : tokenStatus.enabled,
        status_only: true,
      }),
    onSuccess: async () => {
      toast.success(t('common.done'))
      await queries.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
  return (
    <>
      {token.key !== '' && <Button onClick={() => setConnecting(true)}>{t('connect.open')}</Button>}
      <RotateKey token={token} />
      <Button loading={toggle.isPending} onClick={() => toggle.mutate()}>
        {t(isOn ? 'common.disable' : 'common.enable')}
      </Button>
      <Suspense>{connecting && <ConnectDialog token={token} onClose={() => setConnecting(false)} />}</Suspense>
    </>
  )
}
