import type { ButtonProps } from '@mantine/core'
import type { HistoryEntry } from '#shared/api/history.ts'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { nameOf, verbOf } from './entry-words.ts'

interface Props extends ButtonProps {
  entry: HistoryEntry
  label: string
  onUndo: (id: number) => unknown
}

/** Asks first: an undo takes effect at once, for everyone. */
export function UndoButton({ entry, label, onUndo, ...button }: Props) {
  const { t } = useTranslation()
  const question = {
    title: t('history.undoQuestion', { what: `${verbOf(t, entry)} ${nameOf(t, entry)}` }),
    consequence: t('history.undoConsequence'),
    verb: t('common.undo'),
  }
  return (
    <ConfirmButton {...button} question={question} onConfirm={() => onUndo(entry.id)}>
      {label}
    </ConfirmButton>
  )
}
