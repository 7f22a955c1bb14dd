import { Button, Modal } from '@mantine/core'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './leave-question.module.css'

/** What was typed would be lost. */
export function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onStay}
      title={t('forms.leaveTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      size={420}
    >
      <p className={styles.words}>{t('forms.leaveText')}</p>
      <div className={styles.buttons}>
        <Button onClick={onLeave}>{t('forms.leave')}</Button>
        <Button variant="filled" onClick={onStay} data-autofocus>
          {t('forms.stay')}
        </Button>
      </div>
    </Modal>
  )
}
