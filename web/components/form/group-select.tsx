import { MultiSelect } from '@mantine/core'
import { useGroups } from '#web/hooks/use-groups.ts'

interface Props {
  label: string
  description: string
  value: string[]
  onChange: (groups: string[]) => void
  error?: React.ReactNode
}

/** Groups of a channel or a user. */
export function GroupSelect(props: Props) {
  return (
    <MultiSelect data={useGroups(props.value)} comboboxProps={{ portalProps: { target: '#floating' } }} {...props} />
  )
}
