import type { OptionKey } from '#shared/options.ts'

/** The props of every kind of field; `frame` is passed on to its input. */
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
