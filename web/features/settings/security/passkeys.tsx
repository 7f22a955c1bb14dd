import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { identityApi, type Passkey } from '#shared/api/identity.ts'
import { ProofInput, useProof } from '#web/components/identity/proof-input.tsx'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { useFocusHandedOn } from '#web/hooks/use-focus-back.ts'
import { call } from '#web/lib/api.ts'
import { formatDate, formatMinute } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { passkeyFailure } from '#web/lib/identity/passkey-failure.ts'
import { makePasskey, supportsPasskeys } from '#web/lib/identity/passkeys.ts'
import { toast } from '#web/lib/toast.tsx'
import { passkeysQuery } from '#web/state/queries/security-queries.ts'
import styles from './security.module.css'

export function Passkeys() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, isLoadingError, refetch } = useQuery(passkeysQuery)
  const [name, setName] = useState('')
  const [typed, setTyped] = useState('')
  const proofOf = useProof()
  const again = () => queries.invalidateQueries({ queryKey: ['security'] })
  const add = useMutation({
    mutationFn: async () => {
      const response = await makePasskey(await call(identityApi.passkeyOptions, proofOf(typed)))
      return call(identityApi.passkeyCreate, { name: name.trim() || t('security.defaultName'), response })
    },
    onSettled: () => setTyped(''),
    onSuccess: async () => {
      setName('')
      toast.success(t('security.passkeyAdded'))
      await again()
    },
    ...passkeyFailure,
  })
  const remove = useMutation({
    mutationFn: (id: number) => call(identityApi.passkeyRemove, { id }),
    onSuccess: async () => {
      toast.success(t('security.passkeyRemoved'))
      await again()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <section className={styles.part} aria-label={t('security.passkeys')}>
      <span className="name">{t('security.passkeys')}</span>
      {isLoadingError && <CannotLoad onRetry={refetch} />}
      {data?.list.length === 0 && <p className="dimmed">{t('security.passkeysNone')}</p>}
      {data?.list.map((passkey) => (
        <PasskeyLine
          key={passkey.id}
          passkey={passkey}
          onRemove={() => remove.mutateAsync(passkey.id).catch(() => {})}
          onRenamed={again}
        />
      ))}
      {supportsPasskeys() ? (
        <form className={styles.line} onSubmit={submit}>
          <TextInput
            label={t('security.passkeyName')}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ProofInput value={typed} onChange={setTyped} />
          <Button type="submit" loading={add.isPending}>
            {t('security.addPasskey')}
          </Button>
        </form>
      ) : (
        <p className="dimmed">{t('security.unsupported')}</p>
      )}
    </section>
  )
}

interface LineProps {
  passkey: Passkey
  onRemove: () => unknown
  onRenamed: () => unknown
}

function PasskeyLine({ passkey: { id, name, created_time, used_time }, onRemove, onRenamed }: LineProps) {
  const { t } = useTranslation()
  const [renaming, setRenaming] = useState(false)
  const rename = async (to: string) => {
    await call(identityApi.passkeyRename, { id, name: to })
    await onRenamed()
  }
  if (renaming) return <RenameForm name={name} onName={rename} onDone={() => setRenaming(false)} />
  const when =
    used_time > 0
      ? t('security.used', { time: formatMinute(used_time) })
      : t('security.created', { time: formatDate(created_time) })
  const question = { title: t('security.removeQuestion', { name }), verb: t('security.remove') }
  return (
    <div className={styles.line}>
      <span className="ellipsis">{name}</span>
      <span className="dimmed">{when}</span>
      <Button aria-label={`${t('security.rename')} ${name}`} onClick={() => setRenaming(true)}>
        {t('security.rename')}
      </Button>
      <ConfirmButton aria-label={`${t('security.remove')} ${name}`} question={question} onConfirm={onRemove}>
        {t('security.remove')}
      </ConfirmButton>
    </div>
  )
}

interface RenameProps {
  name: string
  onName: (name: string) => Promise<unknown>
  onDone: () => void
}

function RenameForm({ name, onName, onDone }: RenameProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(name)
  const form = useFocusHandedOn<HTMLFormElement>()
  const rename = useMutation({ mutationFn: onName, onSuccess: onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') rename.mutate(typed.trim())
  }
  return (
    <form ref={form} className={styles.line} onSubmit={submit}>
      <TextInput
        aria-label={t('security.passkeyName')}
        autoFocus
        maxLength={60}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" loading={rename.isPending}>
        {t('security.save')}
      </Button>
      <Button onClick={onDone}>{t('common.cancel')}</Button>
    </form>
  )
}
