import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import styles from './inline-number.module.css'

interface Props {
  /** "Priority of openai-primary" */
  label: string
  value: number
  min?: number
  /** Room for amounts. */
  wide?: boolean
  /** Saves; a refusal (thrown) restores the value. */
  onSave: (value: number) => Promise<unknown>
}

const tickShown = 1000

/** A whole number edited in its cell: Enter or leaving saves, Escape restores, blank is ignored. */
export function InlineNumber({ label, value, min, wide = false, onSave }: Props) {
  const [text, setText] = useState(String(value))
  const [saved, setSaved] = useState(false)
  const restoring = useRef(false)
  useEffect(() => setText(String(value)), [value])
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), tickShown)
    return () => clearTimeout(timer)
  }, [saved])

  const restore = () => setText(String(value))
  const save = async () => {
    const next = Number(text)
    const usable = text.trim() !== '' && Number.isInteger(next) && (min === undefined || next >= min)
    if (restoring.current || !usable || next === value) {
      restoring.current = false
      return restore()
    }
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
        inputMode="numeric"
        aria-label={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
      />
      {saved && <IconCheck className={styles.tick} size={14} stroke={2} aria-hidden />}
    </span>
  )
}
