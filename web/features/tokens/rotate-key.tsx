import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Token, tokensApi } from '#shared/api/tokens.ts'
import { FormSection } from '#web/components/form/form-page.tsx'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { call } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { fullKey } from './chat-clients.ts'

/** Seconds the old key goes on working. */
const grace = 86_400

/** A new key for a token that programs use: they have a day to change over. */
export function RotateKey({ token }: { token: Token }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: (ends: boolean) =>
      ends ? call(tokensApi.endGrace, { id: token.id }) : call(tokensApi.rotate, { id: token.id, grace }),
    onSuccess: (_, ends) => {
      toast.success(t(ends ? 'common.done' : 'tokens.rotated'))
      return queries.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
  if (token.key === '') return null
  const latest = send.data ?? token
  const question = {
    title: t('tokens.rotateTitle', { name: token.name }),
    consequence: t('tokens.rotateText'),
    verb: t('tokens.rotate'),
  }
  return (
    <FormSection title={t('tokens.key')} hint={t('tokens.rotateText')}>
      {send.data && (
        <TextInput
          label={t('tokens.key')}
          classNames={{ input: 'mono' }}
          value={fullKey(latest)}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <ConfirmButton question={question} onConfirm={() => send.mutateAsync(false)}>
        {t('tokens.rotate')}
      </ConfirmButton>
      {latest.previous_key_expires > 0 && (
        <Button onClick={() => send.mutate(true)}>
          {t('tokens.endOldKey', { time: formatTime(latest.previous_key_expires) })}
        </Button>
      )}
    </FormSection>
  )
}
