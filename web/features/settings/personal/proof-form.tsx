import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { OwnerProof } from '#shared/api/proof.ts'
import { ProofInput, useProof } from '#web/components/identity/proof-input.tsx'
import styles from '#web/features/settings/settings.module.css'
import { useFocusHandedOn } from '#web/hooks/use-focus-back.ts'
import { useRunning } from '#web/hooks/use-running.ts'
import { reportFailure } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  readonly submit: string
  readonly onProof: (proof: OwnerProof) => Promise<unknown>
}

/** Asks for the password before a login of another service is linked. An account without one leaves it empty. */
export function ProofForm({ submit, onProof }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [running, run] = useRunning()
  const proofOf = useProof()
  const form = useFocusHandedOn<HTMLFormElement>()
  const send = (event: FormEvent) => {
    event.preventDefault()
    void run(() => onProof(proofOf(typed)).catch(reportFailure))
    setTyped('')
  }
  return (
    <form ref={form} className={styles.emailForm} aria-label={submit} onSubmit={send} noValidate>
      <p className="dimmed">{t('security.proofHelp')}</p>
      <div className={styles.besideField}>
        <ProofInput value={typed} onChange={setTyped} autoFocus />
        <Button className={styles.lowered} type="submit" variant="filled" loading={running}>
          {t('settings.personal.bind')}
        </Button>
      </div>
    </form>
  )
}
