import { MultiSelect } from '@mantine/core'
import { useGroups } from '#web/hooks/use-groups.ts'

export interface GroupSelectProps {
  label: string
  description: string
  value: string[]
  onChange: (groups: string[]) => void
  error?: React.ReactNode
  autoFocus?: boolean
}

/** Groups of a channel or a user. */
export function GroupSelect(props: GroupSelectProps) {
  return (
    <MultiSelect data={useGroups(props.value)} comboboxProps={{ portalProps: { target: '#floating' } }} {...props} />
  )
}
