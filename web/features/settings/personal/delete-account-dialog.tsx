import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useUser } from '#web/state/session.tsx'

interface Props {
  opened: boolean
  onClose: () => void
}

export function DeleteAccountDialog({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('settings.deletion.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <DeletionForm onClose={onClose} />
    </Modal>
  )
}

function DeletionForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { user, signOut } = useUser()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState(false)
  const remove = useMutation({
    mutationFn: async () => {
      await call(accountApi.remove)
      await call(authApi.logout)
    },
    onSuccess: async () => {
      await navigate('/login')
      signOut()
      toast.success(t('settings.deletion.done'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const right = typed === user?.username
    setRefused(!right)
    if (right) remove.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <p style={{ margin: '0 0 16px' }}>{t('settings.deletion.text')}</p>
      <TextInput
        label={t('settings.deletion.field', { username: user?.username ?? '' })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={refused && t('settings.deletion.refuse')}
        autoComplete="off"
        data-autofocus
      />
      <Group justify="flex-end" gap="sm" mt={16}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" variant="filled" color="red" loading={remove.isPending}>
          {t('common.delete')}
        </Button>
      </Group>
    </form>
  )
}
