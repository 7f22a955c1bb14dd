import { ActionIcon } from '@mantine/core'
import { IconInfoCircle, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { restFocus } from '#web/lib/keys.ts'
import { markPromptShown, promptShown } from '#web/lib/storage.ts'
import styles from './notice-bar.module.css'

/** A hint above a list; dismissed once, it stays away. `name` is its prompt flag. */
export function NoticeBar({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(() => !promptShown(name))
  if (!shown) return null
  const dismiss = () => {
    markPromptShown(name)
    setShown(false)
    restFocus()
  }
  return (
    <div className={styles.notice} role="note">
      <IconInfoCircle size={16} stroke={1.6} aria-hidden />
      <span className={styles.text}>{children}</span>
      <ActionIcon size={24} aria-label={t('table.dismiss')} onClick={dismiss}>
        <IconX size={16} stroke={1.6} />
      </ActionIcon>
    </div>
  )
}
