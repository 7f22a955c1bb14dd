import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { reportFailure } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'

const load = () => import('./delete-account-dialog.tsx')
const DeleteAccountDialog = lazy(async () => ({ default: (await load()).DeleteAccountDialog }))

/** Deletes the own account after its name has been typed; the dialog is fetched when it is first asked for. */
export function DeleteAccount() {
  const { t } = useTranslation()
  const [armed, setArmed] = useState(false)
  const [opened, modal] = useDisclosure(false)
  const open = () =>
    void load().then(() => {
      setArmed(true)
      modal.open()
    }, reportFailure)
  return (
    <>
      <Button variant="outline" color="red" onClick={open}>
        {t('settings.deletion.button')}
      </Button>
      <Suspense>{armed && <DeleteAccountDialog opened={opened} onClose={modal.close} />}</Suspense>
    </>
  )
}
