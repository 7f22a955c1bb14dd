import { Anchor, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { authApi } from '#shared/api/auth.ts'
import { call } from '#web/lib/api.ts'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'

/** Where the link of a reset mail leads. */
export function ResetConfirmPage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const email = params.get('email') ?? ''
  const token = params.get('token') ?? ''
  const reset = useMutation({
    mutationFn: () => call(authApi.reset, { email, token }),
    onSuccess: async (password) => {
      if (await copyText(password)) toast.notice(t('auth.newPasswordCopied', { password }))
      else toast.warning(t('auth.newPasswordShown'))
    },
  })
  const usable = email !== '' && token !== ''
  return (
    <AuthFrame title={t('auth.confirmTitle')} lead={t(usable ? 'auth.confirmHelp' : 'auth.badLink')}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault()
          reset.mutate()
        }}
      >
        <TextInput label={t('auth.email')} value={email} readOnly />
        {reset.data !== undefined && (
          <TextInput
            label={t('auth.newPassword')}
            value={reset.data}
            readOnly
            classNames={{ input: 'mono' }}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
        <Button type="submit" variant="filled" loading={reset.isPending} data-disabled={!usable || reset.isSuccess}>
          {t(reset.isSuccess ? 'auth.confirmed' : 'auth.confirm')}
        </Button>
      </form>
      <p className={styles.below}>
        <Anchor component={Link} to={usable ? '/login' : '/reset'} inherit underline="always">
          {t(usable ? 'auth.backToLogin' : 'auth.resetTitle')}
        </Anchor>
      </p>
    </AuthFrame>
  )
}
