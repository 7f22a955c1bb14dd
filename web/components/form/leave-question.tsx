import { Button, Modal } from '@mantine/core'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './leave-question.module.css'

interface Props {
  /** The session is over, and can be begun again in another tab. */
  ended: boolean
  onStay: () => void
  onLeave: () => void
}

/** What was typed would be lost. */
export function LeaveQuestion({ ended, onStay, onLeave }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onStay}
      title={t(ended ? 'forms.endedTitle' : 'forms.leaveTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      size={420}
    >
      <p className={styles.words}>{t(ended ? 'forms.endedText' : 'forms.leaveText')}</p>
      <div className={styles.buttons}>
        <Button onClick={onLeave}>{t('forms.leave')}</Button>
        {ended ? (
          <Button component="a" href="/login" target="_blank" variant="filled" data-autofocus>
            {t('forms.endedLogIn')}
          </Button>
        ) : (
          <Button variant="filled" onClick={onStay} data-autofocus>
            {t('forms.stay')}
          </Button>
        )}
      </div>
    </Modal>
  )
}
