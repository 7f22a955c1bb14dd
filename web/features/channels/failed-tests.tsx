import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { restFocus } from '#web/lib/keys.ts'
import styles from './failed-tests.module.css'
import type { FailedTest } from './test-all.ts'

interface Props {
  failed: readonly FailedTest[]
  onDismiss: () => void
}

/** Which channels failed the tests just run, and why; it stays until somebody has read it. */
export function FailedTests({ failed, onDismiss }: Props) {
  const { t } = useTranslation()
  if (failed.length === 0) return null
  const title = t('channels.failedTests', { count: failed.length })
  const dismiss = () => {
    onDismiss()
    restFocus()
  }
  return (
    <section className={styles.box} aria-label={title}>
      <b>{title}</b>
      <ActionIcon size={24} aria-label={t('table.dismiss')} onClick={dismiss}>
        <IconX size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
      <ul>
        {failed.map(({ id, name, reason }) => (
          <li key={id}>
            <Link to={`/channel/edit/${id}`}>{name}</Link>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
