import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { authApi, Email } from '#shared/api/auth.ts'
import type { BotCheck } from '#web/hooks/use-bot-check.tsx'
import { useCooldown } from '#web/hooks/use-cooldown.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { issueText } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './auth.module.css'
import type { RegisterFormState } from './use-register-form.ts'

/** The address, the button that sends a code to it, and the field for the code. */
export function EmailCodeFields({ form, check }: { form: RegisterFormState; check: BotCheck }) {
  const { t } = useTranslation()
  const [wait, startWait] = useCooldown()
  const send = useMutation({
    mutationFn: (email: string) => call(authApi.verification, { email, turnstile: check.token }),
    onSuccess: () => {
      startWait()
      toast.success(t('auth.codeSent'))
    },
    onSettled: check.renew,
  })
  const press = () => {
    const email = form.getValues().email.trim()
    if (email === '') return form.setFieldError('email', t('auth.needEmail'))
    const issue = Email.safeParse(email).error?.issues[0]
    if (issue) return form.setFieldError('email', issueText(issue))
    if (check.passed) send.mutate(email)
    else toast.info(t('auth.checkRunning'))
  }
  return (
    <>
      <div className={styles.code}>
        <TextInput
          label={t('auth.email')}
          type="email"
          autoComplete="email"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button onClick={press} loading={send.isPending} data-disabled={wait > 0}>
          {wait > 0 ? t('auth.retryIn', { seconds: wait }) : t('auth.getCode')}
        </Button>
      </div>
      <TextInput
        label={t('auth.code')}
        autoComplete="one-time-code"
        key={form.key('verification_code')}
        {...form.getInputProps('verification_code')}
      />
    </>
  )
}
