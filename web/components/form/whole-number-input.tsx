import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { readWhole } from '#web/lib/input/typed-number.ts'

export interface WholeNumberInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** `''` while the field is empty; the text as typed while it is no whole number, for the form to refuse. */
  value?: number | string
  onChange?: (value: number | string) => void
  /** Lets a minus sign in. */
  negative?: boolean
  /** What a text means; a whole number unless given. */
  read?: (text: string) => number | undefined
  /** By how much the arrow keys change it; without it they do not. */
  step?: number
}

const grouped = (value: number | string): string => {
  const text = String(value)
  return /^-?\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text
}

/** One step from a number, without the rounding error of binary fractions. */
const stepped = (value: number, step: number): number => Number(Math.max(0, value + step).toFixed(6))

/** A whole number: 500,000 at rest. While one types the text stays as it is, and with it selection and caret. */
export function WholeNumberInput({
  value = '',
  onChange,
  negative = false,
  read = readWhole,
  step,
  onFocus,
  onBlur,
  ...props
}: WholeNumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const press = (event: KeyboardEvent) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    const now = read(typed ?? String(value))
    if (step === undefined || way === undefined || now === undefined || props.readOnly) return
    event.preventDefault()
    const next = stepped(now, way * step)
    setTyped(String(next))
    onChange?.(next)
  }
  return (
    <TextInput
      inputMode={negative ? 'text' : 'decimal'}
      autoComplete="off"
      {...props}
      value={typed ?? grouped(value)}
      onKeyDown={press}
      onFocus={(event) => {
        setTyped(grouped(value))
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setTyped(null)
        onBlur?.(event)
      }}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        onChange?.(text.trim() === '' ? '' : (read(text) ?? text))
      }}
    />
  )
}
