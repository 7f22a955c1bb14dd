import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { statusApi } from '#shared/api/status.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { whenUsed } from '#web/lib/input/first-use.ts'
import { toast } from '#web/lib/toast.tsx'

const ReleaseNotes = whenUsed(async () => (await import('./release-notes.tsx')).ReleaseNotes)

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
      <Suspense>
        {release && <ReleaseNotes release={release} opened={opened} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  )
}
