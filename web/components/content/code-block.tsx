import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './code-block.module.css'

interface Props {
  /** What it is, for readers of the screen. */
  label: string
  /** What is copied. */
  text: string
  /** What stands on the screen, where that is not the same: a key stays covered. */
  shown?: string
}

/** Text to take along: it scrolls, and its button copies it whole. */
export function CodeBlock({ label, text, shown = text }: Props) {
  const { t } = useTranslation()
  const copy = async () => {
    if (await copyText(text)) toast.success(t('common.copied'))
    else toast.warning(t('common.copyByHand'))
  }
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className={styles.code} tabIndex={0} aria-label={label}>
        {shown}
      </section>
      <ActionIcon
        className={styles.copy}
        aria-label={t('common.copyNamed', { name: label })}
        onClick={() => void copy()}
      >
        <IconCopy size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </div>
  )
}
