import type { TagsInputProps } from '@mantine/core'
import { whenUsed } from '#web/lib/input/first-use.ts'
import { ClosedNames, LaterField } from './later-field.tsx'

const NamesInput = whenUsed(async () => (await import('./names-input.tsx')).NamesInput)

interface Props extends TagsInputProps {
  value: string[]
  /** Names that are compared letter by letter. */
  mono?: boolean
}

/** Several names in one field. */
export function NamesField({ mono = false, ...props }: Props) {
  const { label, description, required, error, placeholder, readOnly, className, value } = props
  const frame = { label, description, required, error, className }
  const styles = mono ? { styles: { pill: { fontFamily: 'var(--mantine-font-family-monospace)' } } } : {}
  return (
    <LaterField closed={<ClosedNames {...frame} names={value} placeholder={placeholder} mono={mono} />}>
      {(autoFocus) => <NamesInput {...props} {...styles} autoFocus={autoFocus && !readOnly} />}
    </LaterField>
  )
}
