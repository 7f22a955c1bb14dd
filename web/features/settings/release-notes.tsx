import { Anchor, Modal } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { statusApi } from '#shared/api/status.ts'
import type { OutputOf } from '#shared/contract.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './settings.module.css'

const Markdown = lazy(async () => ({ default: (await import('#web/components/content/markdown.tsx')).Markdown }))

interface Props {
  release: OutputOf<typeof statusApi.release>
  opened: boolean
  onClose: () => void
}

/** What is new in a release. */
export function ReleaseNotes({ release, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('settings.update.title', { tag: release.tag_name })}
      size={560}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Suspense>
        <Markdown text={release.body || t('settings.update.noNotes')} />
      </Suspense>
      {release.html_url !== '' && (
        <p className={styles.release}>
          <Anchor href={release.html_url} target="_blank" rel="noreferrer">
            {t('settings.update.open')}
          </Anchor>
        </p>
      )}
    </Modal>
  )
}
