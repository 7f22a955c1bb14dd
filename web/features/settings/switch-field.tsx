import { Checkbox } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import type { OptionKey } from '#shared/options.ts'
import { whenUsed } from '#web/lib/input/first-use.ts'
import type { KindProps } from './kind-props.ts'

const TurnOffQuestion = whenUsed(async () => (await import('./turn-off-question.tsx')).TurnOffQuestion)

/** Asked before the switch is turned off. */
const questions: Partial<Record<OptionKey, 'passwordOff'>> = { PasswordLoginEnabled: 'passwordOff' }

/** An option that is 'true' or 'false'. Some are not turned off without a question. */
export function SwitchField({ name, text, onChange, frame: { readOnly, placeholder: _, ...frame } }: KindProps) {
  const confirmOff = questions[name]
  const [asking, question] = useDisclosure(false)
  const change = (on: boolean) => {
    if (!on && confirmOff) question.open()
    else onChange(String(on))
  }
  const turnOff = () => {
    onChange('false')
    question.close()
  }
  return (
    <>
      <Checkbox
        {...frame}
        disabled={readOnly}
        checked={text === 'true'}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <Suspense>
        {confirmOff && (
          <TurnOffQuestion words={confirmOff} opened={asking} onClose={question.close} onConfirm={turnOff} />
        )}
      </Suspense>
    </>
  )
}
