import { whenUsed } from '#web/lib/input/first-use.ts'
import { ClosedChoice, LaterField } from './later-field.tsx'
import type { ModelPickerProps } from './model-picker.tsx'

const ModelPicker = whenUsed(async () => (await import('./model-picker.tsx')).ModelPicker)

/** A model by its name. */
export function ModelField(props: ModelPickerProps) {
  const { label, labelled = false, value } = props
  const named = labelled ? { label } : { 'aria-label': label }
  return (
    <LaterField closed={<ClosedChoice {...named} value={value} classNames={{ input: 'mono' }} />}>
      {(autoFocus) => <ModelPicker {...props} autoFocus={autoFocus} />}
    </LaterField>
  )
}
