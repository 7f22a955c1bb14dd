import type { OptionKey } from '#shared/options.ts'

/** What every kind of field is given; `frame` goes to the input as it is. */
export interface KindProps {
  name: OptionKey
  text: string
  onChange: (text: string) => void
  frame: {
    label: string
    description?: string
    error?: string
    readOnly: boolean
    placeholder?: string
    onBlur: () => void
  }
}
