import { Button } from '@mantine/core'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './security.module.css'

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation()
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toast.success(t('common.copied'))
    else toast.warning(t('common.copyByHand'))
  }
  return (
    <section aria-label={t('security.codes')} className={styles.codes}>
      <p>{t('security.codesHelp')}</p>
      <ul className="mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button onClick={copy}>{t('security.copyCodes')}</Button>
    </section>
  )
}
