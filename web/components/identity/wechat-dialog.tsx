import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { useStatus } from '#web/state/status.tsx'

export interface WechatProps {
  opened: boolean
  onClose: () => void
  title: string
  submit: string
  /** Sends the code; resolves when it was accepted. */
  onCode: (code: string) => Promise<unknown>
  /** Fields of the one who opens it, below the code. */
  children?: ReactNode
}

/** The QR code of the messaging-app account and the field for the code it sends. */
export function WechatDialog({ opened, onClose, title, submit, onCode, children }: WechatProps) {
  const { t } = useTranslation()
  const { wechat_qrcode } = useStatus()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? t('auth.needCode') : null) },
  })
  const { mutate, isPending } = useMutation({ mutationFn: onCode })
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={360}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form onSubmit={form.onSubmit(({ code }) => mutate(code.trim()))} noValidate>
        <Stack gap="md">
          {wechat_qrcode && (
            <img
              src={wechat_qrcode}
              alt={t('auth.wechatImage')}
              width={200}
              height={200}
              style={{ alignSelf: 'center', objectFit: 'contain' }}
            />
          )}
          <p style={{ margin: 0 }}>{t('auth.wechatHelp')}</p>
          <TextInput
            label={t('auth.code')}
            autoComplete="one-time-code"
            data-autofocus
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
          {children}
          <Button type="submit" variant="filled" loading={isPending}>
            {submit}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
