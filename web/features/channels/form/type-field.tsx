import { channelTypeOf } from '#shared/channel-types.ts'
import { ClosedChoice, LaterField } from '#web/components/choices/later-field.tsx'
import { whenUsed } from '#web/lib/input/first-use.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import type { TypeSelectProps } from './type-select.tsx'

const TypeSelect = whenUsed(async () => (await import('./type-select.tsx')).TypeSelect)

/** The type of a channel. */
export function TypeField(props: Omit<TypeSelectProps, 'autoFocus'>) {
  const known = channelTypeOf(props.type)
  const value = known ? channelTypeWords(known).label : ''
  return (
    <LaterField closed={<ClosedChoice label={props.label} required value={value} error={props.error} />}>
      {(autoFocus) => <TypeSelect {...props} autoFocus={autoFocus} />}
    </LaterField>
  )
}
