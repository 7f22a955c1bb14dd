import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTextOf } from '#web/hooks/use-text-of.ts'
import { readWhole } from '#web/lib/input/typed-number.ts'
import { faultMessage } from '#web/lib/messages.ts'
import styles from './inline-number.module.css'

interface Props {
  /** "Priority of openai-primary" */
  label: string
  value: number
  min?: number
  /** Room for amounts. */
  wide?: boolean
  /** What a text means; a whole number unless given. */
  read?: (text: string) => number | undefined
  /** How the value stands in the field. */
  show?: (value: number) => string
  /** Saves; a refusal (thrown) restores the value. */
  onSave: (value: number) => Promise<unknown>
}

const tickShown = 1000

/** A whole number edited in its cell: Enter or leaving saves, Escape restores, blank is ignored, anything else is refused. */
export function InlineNumber({ label, value, min, wide = false, read = readWhole, show = String, onSave }: Props) {
  const shown = show(value)
  const [text, setText] = useTextOf(shown)
  const [saved, setSaved] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const faultId = useId()
  const restoring = useRef(false)
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), tickShown)
    return () => clearTimeout(timer)
  }, [saved])

  const restore = () => {
    setFault(null)
    setText(shown)
  }
  const save = async () => {
    const next = read(text)
    const isGiven = !restoring.current && text.trim() !== '' && next !== value
    restoring.current = false
    if (!isGiven) return restore()
    const isTooSmall = min !== undefined && next !== undefined && next < min
    if (isTooSmall || (next === undefined && read !== readWhole)) return setFault(faultMessage('number.negative'))
    if (next === undefined || !Number.isSafeInteger(next)) return setFault(faultMessage('number.whole'))
    try {
      await onSave(next)
      setSaved(true)
    } catch {
      restore()
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    restoring.current = event.key === 'Escape'
    event.currentTarget.blur()
  }
  return (
    <span className={styles.cell}>
      <input
        className={styles.input}
        data-wide={wide || undefined}
        inputMode={read === readWhole ? 'numeric' : 'decimal'}
        aria-label={label}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : faultId}
        value={text}
        onChange={(event) => {
          setFault(null)
          setText(event.currentTarget.value)
        }}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
      />
      {saved && <IconCheck className={styles.tick} size={14} stroke={2} aria-hidden />}
      {fault !== null && (
        <span id={faultId} role="alert" className={styles.fault}>
          {fault}
        </span>
      )}
    </span>
  )
}
