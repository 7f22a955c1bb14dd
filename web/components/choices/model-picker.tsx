import { Select } from '@mantine/core'

export interface ModelPickerProps {
  label: string
  /** Whether the label stands over it; otherwise it is only read out. */
  labelled?: boolean
  value: string
  known: readonly string[]
  onChange: (model: string) => void
  autoFocus?: boolean
}

/** A model by its name, found by typing a part of it. */
export function ModelPicker({ label, labelled = false, value, known, onChange, autoFocus = false }: ModelPickerProps) {
  return (
    <Select
      {...(labelled ? { label } : { 'aria-label': label })}
      data={known.includes(value) ? [...known] : [value, ...known]}
      value={value}
      onChange={(model) => model !== null && onChange(model)}
      autoFocus={autoFocus}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      limit={100}
      maxDropdownHeight={320}
      comboboxProps={{ portalProps: { target: '#floating' } }}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  )
}
