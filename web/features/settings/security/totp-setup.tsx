import { lazy, Suspense } from 'react'
import { identityApi } from '#shared/api/identity.ts'
import { useFocusHandedOn } from '#web/hooks/use-focus-back.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { CodeForm } from './code-form.tsx'
import styles from './security.module.css'

const QrCode = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }))

const size = 168

interface Props {
  secret: string
  uri: string
  onConfirmed: (recoveryCodes: readonly string[]) => Promise<void>
}

export function TotpSetup({ secret, uri, onConfirmed }: Props) {
  const { t } = useTranslation()
  const box = useFocusHandedOn<HTMLDivElement>()
  const confirm = async (code: string) => onConfirmed((await call(identityApi.totpConfirm, { code })).recovery_codes)
  return (
    <div ref={box} className={styles.setup}>
      <div className={styles.qr} style={{ width: size, height: size }}>
        <Suspense fallback={null}>
          <QrCode value={uri} size={size} title={t('security.qr')} marginSize={1} />
        </Suspense>
      </div>
      <div>
        <p className={styles.key}>
          {t('security.key')}: <code className="mono">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <CodeForm help={t('security.scan')} submit={t('security.confirm')} onCode={confirm} />
      </div>
    </div>
  )
}
