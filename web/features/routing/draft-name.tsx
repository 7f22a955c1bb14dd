import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './simulate.module.css'
import type { DraftState } from './use-draft.ts'

const lengthMax = 60

/** Drafts this browser has kept under a name. */
export function DraftPicker({ draft }: { draft: DraftState }) {
  const { t } = useTranslation()
  const { name, names, open } = draft
  if (names.length === 0 && name === '') return null
  const all = [...new Set([...names, ...(name === '' ? [] : [name])])]
  return (
    <NativeSelect
      aria-label={t('routing.draft')}
      value={name}
      data={[
        { value: '', label: t('routing.newDraft') },
        ...all.map((each) => ({ value: each, label: t('routing.draftNamed', { name: each }) })),
      ]}
      onChange={(event) => open(event.currentTarget.value)}
    />
  )
}

/** Gives the draft a name, keeps it under the one it has, or forgets it. */
export function DraftName({ draft }: { draft: DraftState }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  const { name, names, saveAs, forget } = draft
  const save = () => {
    if (typed?.trim()) saveAs(typed.trim())
    setTyped(null)
  }
  if (typed !== null)
    return (
      <span className={styles.naming}>
        <TextInput
          aria-label={t('routing.draftName')}
          placeholder={t('routing.draftName')}
          maxLength={lengthMax}
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTyped(null)
            if (event.key !== 'Enter') return
            event.preventDefault()
            save()
          }}
        />
        <Button onClick={save} disabled={typed.trim() === ''}>
          {t('routing.keep')}
        </Button>
      </span>
    )
  return (
    <>
      <Button variant="subtle" onClick={() => (name === '' ? setTyped('') : saveAs(name))}>
        {t(name === '' ? 'routing.nameDraft' : 'routing.keep')}
      </Button>
      {names.includes(name) && (
        <Button variant="subtle" onClick={() => forget(name)}>
          {t('routing.forgetDraft')}
        </Button>
      )}
    </>
  )
}
