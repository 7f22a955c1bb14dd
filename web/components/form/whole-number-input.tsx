import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

export interface WholeNumberInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** `''` while the field is empty. */
  value?: number | string
  onChange?: (value: number | '') => void
  /** Lets a minus sign in. */
  negative?: boolean
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** What may stay of what was typed or pasted. */
const clean = (text: string, negative: boolean): string => {
  const digits = text.replace(/\D/g, '')
  return negative && text.trim().startsWith('-') ? `-${digits}` : digits
}

/** A whole number: 500,000 at rest. While one types the commas stay where they are, and with them selection and caret. */
export function WholeNumberInput({
  value = '',
  onChange,
  negative = false,
  onFocus,
  onBlur,
  ...props
}: WholeNumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      inputMode={negative ? 'text' : 'numeric'}
      autoComplete="off"
      {...props}
      value={typed ?? grouped(String(value))}
      onFocus={(event) => {
        setTyped(grouped(String(value)))
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setTyped(null)
        onBlur?.(event)
      }}
      onChange={(event) => {
        const text = clean(event.currentTarget.value, negative)
        setTyped(event.currentTarget.value.replace(/[^\d,-]/g, ''))
        onChange?.(text === '' || text === '-' ? '' : Number(text))
      }}
    />
  )
}
