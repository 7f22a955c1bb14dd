import type { MouseEvent } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './palette.module.css'
import type { Entry } from './palette-entries.ts'

interface Props {
  id: string
  entry: Entry
  words: string
  selected: boolean
  onPress: (event: MouseEvent) => void
}

export function PaletteOption({ id, entry: { label, hint, keys, letter }, words, selected, onPress }: Props) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div id={id} role="option" aria-selected={selected} className={styles.option} onClick={onPress}>
      <span className="ellipsis">
        <Marked label={label} words={words} />
      </span>
      {hint && <span className={styles.hint}>{hint}</span>}
      {(keys ?? letter) ? (
        <span className={styles.keys}>{keys ?? letter}</span>
      ) : (
        selected && (
          <span className={styles.keys} aria-hidden="true">
            ↵ {t('palette.go')}
          </span>
        )
      )}
    </div>
  )
}

/** The words typed, underlined where they stand in the name. */
function Marked({ label, words }: { label: string; words: string }) {
  const at = words === '' ? -1 : label.toLowerCase().indexOf(words.toLowerCase())
  if (at < 0) return label
  return (
    <>
      {label.slice(0, at)}
      <mark className={styles.mark}>{label.slice(at, at + words.length)}</mark>
      {label.slice(at + words.length)}
    </>
  )
}
