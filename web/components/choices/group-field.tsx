import { whenUsed } from '#web/lib/input/first-use.ts'
import type { GroupSelectProps } from './group-select.tsx'
import { ClosedNames, LaterField } from './later-field.tsx'

const GroupSelect = whenUsed(async () => (await import('./group-select.tsx')).GroupSelect)

/** Groups of a channel or a user. */
export function GroupField(props: GroupSelectProps) {
  const { label, description, value, error } = props
  return (
    <LaterField closed={<ClosedNames listed label={label} description={description} error={error} names={value} />}>
      {(autoFocus) => <GroupSelect {...props} autoFocus={autoFocus} />}
    </LaterField>
  )
}
