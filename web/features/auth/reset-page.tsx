import { Anchor, Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { authApi, Email } from '#shared/api/auth.ts'
import { useBotCheck } from '#web/hooks/use-bot-check.tsx'
import { useCooldown } from '#web/hooks/use-cooldown.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { issueText } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './auth.module.css'
import { AuthFrame } from './auth-frame.tsx'

/** Asks for a mail with a reset link. */
export function ResetPage() {
  const { t } = useTranslation()
  const check = useBotCheck()
  const [wait, startWait] = useCooldown()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: {
      email: (email) => {
        if (email.trim() === '') return t('auth.needEmail')
        const issue = Email.safeParse(email).error?.issues[0]
        return issue ? issueText(issue) : null
      },
    },
  })
  const send = useMutation({
    mutationFn: (email: string) => call(authApi.resetRequest, { email: email.trim(), turnstile: check.token }),
    onSuccess: () => toast.success(t('auth.resetSent')),
    onSettled: check.renew,
  })
  const submit = ({ email }: { email: string }) => {
    if (!check.passed) return toast.warning(t('auth.turnstileRunning'))
    startWait()
    send.mutate(email)
  }
  return (
    <AuthFrame title={t('auth.resetTitle')} lead={t('auth.resetHelp')}>
      <form className={styles.fields} onSubmit={form.onSubmit(submit)} noValidate>
        <TextInput
          label={t('auth.email')}
          type="email"
          autoComplete="email"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        {check.widget}
        <Button type="submit" variant="filled" loading={send.isPending} data-disabled={wait > 0}>
          {wait > 0 ? t('auth.retryIn', { seconds: wait }) : t('auth.sendReset')}
        </Button>
      </form>
      <p className={styles.below}>
        <Anchor component={Link} to="/login" inherit underline="always">
          {t('auth.backToLogin')}
        </Anchor>
      </p>
    </AuthFrame>
  )
}
