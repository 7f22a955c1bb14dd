import { ComboboxChevron, Pill, PillsInput, type PillsInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, type RefObject, Suspense, useRef } from 'react'

interface Props {
  /** The same field as it looks before it can be opened. */
  closed: ReactNode
  /** Draws the field; it takes the focus over from the closed one. */
  children: (autoFocus: boolean) => ReactNode
}

export function LaterField({ closed, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <Suspense fallback={<div ref={box}>{closed}</div>}>
      <Open box={box}>{children}</Open>
    </Suspense>
  )
}

/** Drawn anew when its code has come, while the closed field still stands there. */
const Open = ({ box, children }: { box: RefObject<HTMLDivElement | null>; children: Props['children'] }) =>
  children(box.current?.contains(document.activeElement) ?? false)

const chevron = { rightSection: <ComboboxChevron />, rightSectionPointerEvents: 'none' } as const

interface ClosedNamesProps extends PillsInputProps {
  names: readonly string[]
  /** Whether there are no others than those in its list. */
  listed?: boolean
  placeholder?: string | undefined
  mono?: boolean
}

/** Several names in one field, before it can be opened. */
export function ClosedNames({ names, listed = false, placeholder, mono = false, ...frame }: ClosedNamesProps) {
  const font = mono ? { root: { fontFamily: 'var(--mantine-font-family-monospace)' } } : {}
  return (
    <PillsInput {...frame} {...(listed ? chevron : {})}>
      <Pill.Group>
        {names.map((name) => (
          <Pill key={name} withRemoveButton styles={font}>
            {name}
          </Pill>
        ))}
        <PillsInput.Field readOnly placeholder={placeholder} />
      </Pill.Group>
    </PillsInput>
  )
}

/** One of several, before it can be opened. */
export const ClosedChoice = (props: TextInputProps) => <TextInput {...props} {...chevron} readOnly />
