import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
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
  // What was typed and what is being saved stand before the value, which may still be the one before.
  const [typed, setTyped] = useState<string | null>(null)
  const [sent, setSent] = useState<number | null>(null)
  const text = typed ?? show(sent ?? value)
  const [saved, setSaved] = useState(false)
  const [fault, setFault] = useState('')
  const faultId = useId()
  const restoring = useRef(false)
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), tickShown)
    return () => clearTimeout(timer)
  }, [saved])

  const restore = () => {
    restoring.current = false
    setFault('')
    setTyped(null)
  }
  const save = async () => {
    const next = read(text)
    if (restoring.current || text.trim() === '' || next === (sent ?? value)) return restore()
    const isNoAmount = next === undefined ? read !== readWhole : next < (min ?? next)
    if (isNoAmount) return setFault(faultMessage('number.negative'))
    if (next === undefined || !Number.isSafeInteger(next)) return setFault(faultMessage('number.whole'))
    setTyped(null)
    setSent(next)
    await onSave(next).then(
      () => setSaved(true),
      () => {},
    )
    setSent((now) => (now === next ? null : now))
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
        aria-invalid={fault !== '' || undefined}
        aria-describedby={fault === '' ? undefined : faultId}
        value={text}
        onChange={(event) => {
          setFault('')
          setTyped(event.currentTarget.value)
        }}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
      />
      {saved && <IconCheck className={styles.tick} size={14} stroke={2} aria-hidden />}
      {fault !== '' && (
        <span id={faultId} role="alert" className={styles.fault}>
          {fault}
        </span>
      )}
    </span>
  )
}
