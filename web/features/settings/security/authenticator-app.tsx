import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { identityApi } from '#shared/api/identity.ts'
import type { OutputOf } from '#shared/contract.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { secondFactorQuery } from '#web/state/queries/security-queries.ts'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './security.module.css'
import { TotpSetup } from './totp-setup.tsx'

type Factors = OutputOf<typeof identityApi.secondFactor>

/** Set up, recover and remove the app that shows codes. */
export function AuthenticatorApp({ factors }: { factors: Factors | undefined }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [asking, setAsking] = useState<'renew' | 'remove' | null>(null)
  const again = () => queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  const start = useMutation({ mutationFn: () => call(identityApi.totpStart) })
  const isConfirmed = async (made: readonly string[]) => {
    start.reset()
    setCodes(made)
    toast.success(t('security.appDone'))
    await again()
  }
  const renew = async (code: string) => {
    setCodes((await call(identityApi.totpRecovery, { code })).recovery_codes)
    setAsking(null)
    await again()
  }
  const remove = async (code: string) => {
    await call(identityApi.totpDisable, { code })
    toast.success(t('security.appRemoved'))
    await again()
    setAsking(null)
    setCodes(null)
  }
  return (
    <section className={styles.part} aria-label={t('security.app')}>
      <div className={styles.line}>
        <span className="name">{t('security.app')}</span>
        <span className="dimmed">
          {factors?.totp ? t('security.appOn', { count: factors.recovery_codes_left }) : t('security.appOff')}
        </span>
        {factors?.totp ? (
          <>
            <Button onClick={() => setAsking('renew')}>{t('security.newCodes')}</Button>
            <Button variant="outline" color="red" onClick={() => setAsking('remove')}>
              {t('security.removeApp')}
            </Button>
          </>
        ) : (
          !start.data && (
            <Button loading={start.isPending} onClick={() => start.mutate()}>
              {t('security.setUp')}
            </Button>
          )
        )}
      </div>
      {start.data && <TotpSetup {...start.data} onConfirmed={isConfirmed} />}
      {asking && (
        <CodeForm
          help={t('security.withCode')}
          submit={t(asking === 'renew' ? 'security.newCodes' : 'security.remove')}
          onCode={asking === 'renew' ? renew : remove}
          onCancel={() => setAsking(null)}
        />
      )}
      {codes && <RecoveryCodes codes={codes} />}
    </section>
  )
}
