import { Anchor, Button, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { LoginUser, SecondFactorDue } from '#shared/api/auth.ts'
import { identityApi } from '#shared/api/identity.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { passkeyFailure } from '#web/lib/identity/passkey-failure.ts'
import { signWithPasskey } from '#web/lib/identity/passkeys.ts'
import { faultMessage } from '#web/lib/messages.ts'
import styles from './auth.module.css'

interface Props {
  due: SecondFactorDue
  onDone: (user: LoginUser) => void
  onBack: () => void
}

/** The second half of a login: a code of the app, a recovery code, or a passkey. */
export function SecondStep({ due: { ticket, second_factor }, onDone, onBack }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const withCode = useMutation({
    mutationFn: () => call(identityApi.secondLogin, { ticket, code: code.trim() }),
    onSuccess: onDone,
    onError: () => setCode(''),
  })
  const withPasskey = useMutation({
    mutationFn: async () => {
      const assertion = await signWithPasskey(await call(identityApi.secondLoginOptions, { ticket }))
      return call(identityApi.secondLogin, { ticket, assertion })
    },
    onSuccess: onDone,
    ...passkeyFailure,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(code.trim() === '')
    if (code.trim() !== '') withCode.mutate()
  }
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      {second_factor.includes('totp') && (
        <>
          <TextInput
            label={t('auth.secondCode')}
            description={t('auth.secondCodeHelp')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            autoFocus
            error={missing && faultMessage('code.required')}
            value={code}
            onChange={(event) => {
              setMissing(false)
              setCode(event.currentTarget.value)
            }}
          />
          <Button type="submit" variant="filled" loading={withCode.isPending}>
            {t('auth.confirmLogin')}
          </Button>
        </>
      )}
      {second_factor.includes('passkey') && (
        <Button
          leftSection={<IconKey size={16} stroke={1.6} aria-hidden />}
          autoFocus={!second_factor.includes('totp')}
          loading={withPasskey.isPending}
          onClick={() => withPasskey.mutate()}
        >
          {t('auth.usePasskey')}
        </Button>
      )}
      <p className={styles.lead}>{t('auth.lostFactor')}</p>
      <div>
        <Anchor component="button" type="button" inherit underline="always" onClick={onBack}>
          {t('auth.backToLogin')}
        </Anchor>
      </div>
    </form>
  )
}
