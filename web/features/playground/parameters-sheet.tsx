import { Modal } from '@mantine/core'
import { useFocusBack } from '#web/hooks/use-focus-back.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ParameterFields, type ParametersProps } from './parameters.tsx'
import styles from './playground.module.css'

/** The parameters where they have no room beside the answers. */
export function ParametersSheet({ onClose, ...parameters }: ParametersProps & { onClose: () => void }) {
  useFocusBack()
  const { t } = useTranslation()
  return (
    <Modal
      opened
      fullScreen
      onClose={onClose}
      title={t('playground.parameters')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={styles.sheet}>
        <ParameterFields {...parameters} />
      </div>
    </Modal>
  )
}
