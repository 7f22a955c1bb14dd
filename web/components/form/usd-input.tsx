import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import styles from './usd-input.module.css'

interface Props {
  label: string
  value: number | null
  onSave: (usd: number) => void
}

/** Dollars edited in their cell: Enter or leaving takes them, Escape restores, what is no amount is ignored. */
export function UsdInput({ label, value, onSave }: Props) {
  const shown = value === null ? '' : String(value)
  const [text, setText] = useState(shown)
  const restoring = useRef(false)
  useEffect(() => setText(shown), [shown])
  const leave = () => {
    const usd = Number(text.trim().replace(/^\$/, ''))
    const isUsable = !restoring.current && text.trim() !== '' && Number.isFinite(usd) && usd >= 0 && usd !== value
    restoring.current = false
    if (isUsable) onSave(usd)
    else setText(shown)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    restoring.current = event.key === 'Escape'
    event.currentTarget.blur()
  }
  return (
    <input
      className={styles.input}
      inputMode="decimal"
      aria-label={label}
      placeholder="–"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={press}
    />
  )
}
