import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { channelTypes } from '#shared/channel-types.ts'
import { ChannelTypeName } from '#web/components/data/channel-type.tsx'
import { channelTypeWords } from '#web/lib/messages.ts'

export interface TypeSelectProps {
  label: string
  type: number
  onChange: (type: number) => void
  error: ReactNode
  autoFocus: boolean
}

/** All channel types, found by typing a part of the name. */
export function TypeSelect({ label, type, onChange, error, autoFocus }: TypeSelectProps) {
  return (
    <Select
      label={label}
      required
      autoFocus={autoFocus}
      data={channelTypes.map((known) => ({ value: String(known.id), label: channelTypeWords(known).label }))}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      renderOption={({ option }) => <ChannelTypeName type={Number(option.value)} />}
      comboboxProps={{ portalProps: { target: '#floating' } }}
      value={String(type)}
      onChange={(chosen) => onChange(Number(chosen ?? type))}
      error={error}
    />
  )
}
