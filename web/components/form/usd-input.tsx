import { type KeyboardEvent, useRef } from 'react'
import { useTextOf } from '#web/hooks/use-text-of.ts'
import { readUsd } from '#web/lib/input/typed-number.ts'
import styles from './usd-input.module.css'

interface Props {
  label: string
  value: number | null
  onSave: (usd: number) => void
}

/** Dollars edited in their cell: Enter or leaving takes them, Escape restores, what is no amount is refused. */
export function UsdInput({ label, value, onSave }: Props) {
  const shown = value === null ? '' : String(value)
  const [text, setText] = useTextOf(shown)
  const restoring = useRef(false)
  const usd = readUsd(text)
  const leave = () => {
    const isGiven = !restoring.current && text.trim() !== ''
    restoring.current = false
    if (!isGiven || usd === value) return setText(shown)
    if (usd !== undefined) onSave(usd)
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
      aria-invalid={(text.trim() !== '' && usd === undefined) || undefined}
      placeholder="–"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={press}
    />
  )
}
