import { Anchor, Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { statusApi } from '#shared/api/status.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import styles from './settings.module.css'

const Markdown = lazy(async () => ({ default: (await import('#web/components/content/markdown.tsx')).Markdown }))

/** Asks for the latest release and shows its notes. */
export function UpdateCheck() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const check = useMutation({
    mutationFn: () => call(statusApi.release),
    onSuccess: ({ tag_name }) => (tag_name === '' ? toast.info(t('settings.update.latest')) : setOpened(true)),
  })
  const release = check.data
  return (
    <>
      <Button loading={check.isPending} onClick={() => check.mutate()}>
        {t('settings.update.check')}
      </Button>
      {release && (
        <Modal
          opened={opened}
          onClose={() => setOpened(false)}
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
      )}
    </>
  )
}
