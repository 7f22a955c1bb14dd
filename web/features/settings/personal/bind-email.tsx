import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { authApi, Email } from '#shared/api/auth.ts'
import styles from '#web/features/settings/settings.module.css'
import { useBotCheck } from '#web/hooks/use-bot-check.tsx'
import { useCooldown } from '#web/hooks/use-cooldown.ts'
import { useFocusHandedOn } from '#web/hooks/use-focus-back.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { issueText } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'

interface BindEmailProps {
  /** There is an address already: changing it takes the password, where the account has one. */
  readonly replaces: boolean
  readonly onBound: () => unknown
}

/** An address, a code that is mailed to it, and the code typed back. */
export function BindEmail({ replaces, onBound }: BindEmailProps) {
  const { t } = useTranslation()
  const check = useBotCheck()
  const [wait, startWait] = useCooldown()
  const form = useFocusHandedOn<HTMLFormElement>()
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState('')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [needsPassword, setNeedsPassword] = useState(replaces)
  const send = useMutation({
    mutationFn: () => call(authApi.verification, { email: email.trim(), turnstile: check.token }),
    onSuccess: () => {
      startWait()
      toast.success(t('auth.codeSent'))
    },
    onSettled: check.renew,
  })
  const bind = useMutation({
    mutationFn: () => {
      const binding = { email: email.trim(), code: code.trim() }
      return password === '' ? call(authApi.emailBind, binding) : call(authApi.emailChange, { ...binding, password })
    },
    onSuccess: onBound,
    onError(error) {
      if (error instanceof ApiError && error.code === 'email.password_needed') setNeedsPassword(true)
    },
  })
  const askForCode = () => {
    const issue = email.trim() === '' ? undefined : Email.safeParse(email).error?.issues[0]
    const fault = email.trim() === '' ? t('auth.needEmail') : issue && issueText(issue)
    setWrong(fault ?? '')
    if (fault) return
    if (check.passed) send.mutate()
    else toast.warning(t('auth.turnstileRunning'))
  }
  return (
    <form
      ref={form}
      className={styles.emailForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() !== '') bind.mutate()
      }}
      noValidate
    >
      <div className={styles.besideField}>
        <TextInput
          label={t('settings.personal.newEmail')}
          type="email"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={wrong}
        />
        <Button className={styles.lowered} onClick={askForCode} loading={send.isPending} data-disabled={wait > 0}>
          {wait > 0 ? t('auth.retryIn', { seconds: wait }) : t('settings.personal.getCode')}
        </Button>
      </div>
      {check.widget}
      {needsPassword && (
        <PasswordInput
          label={t('settings.personal.passwordForEmail')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <div className={styles.besideField}>
        <TextInput
          label={t('auth.code')}
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button className={styles.lowered} type="submit" variant="filled" loading={bind.isPending}>
          {t('settings.personal.confirmBind')}
        </Button>
      </div>
    </form>
  )
}
