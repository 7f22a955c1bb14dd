import { ComboboxChevron, Pill, PillsInput, type PillsInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'

interface Props {
  /** The same field as it looks before it can be opened. */
  closed: ReactNode
  /** Draws the field; it takes the focus over from the closed one. */
  children: (autoFocus: boolean) => ReactNode
}

/** What stands in a field that cannot be opened yet; a field of one choice shows its choice there. */
const typedIn = (box: HTMLElement | null): string =>
  box?.querySelector<HTMLInputElement>('input:not([readonly])')?.value ?? ''

/** Types a text into a field as a person would, so that the field knows of it. */
function typeInto(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

const openingKeys = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp'])

export function LaterField({ closed, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  // The press counts from its beginning: its end may fall on the other field already.
  const [pressed, setPressed] = useState(false)
  const press = ({ target }: { target: EventTarget }) =>
    setPressed(target instanceof Element && target.closest('.mantine-Input-wrapper') !== null)
  const pressKey = (event: KeyboardEvent) => {
    const isTyping = event.key === ' ' && typedIn(box.current) !== ''
    if (!openingKeys.has(event.key) || isTyping) return
    event.preventDefault()
    setPressed(true)
  }
  const rest = () => setPressed(false)
  const waiting = (
    // biome-ignore lint/a11y/noStaticElementInteractions: its handlers only watch the field in it
    <div ref={box} onPointerDown={press} onPointerCancel={rest} onKeyDown={pressKey} onBlur={rest}>
      {closed}
    </div>
  )
  return (
    <Suspense fallback={waiting}>
      <Open box={box} pressed={pressed}>
        {children}
      </Open>
    </Suspense>
  )
}

interface OpenProps extends Pick<Props, 'children'> {
  box: RefObject<HTMLDivElement | null>
  pressed: boolean
}

/** Drawn anew when its code has come, while the closed field still stands there. */
function Open({ box, pressed, children }: OpenProps) {
  const field = useRef<HTMLDivElement>(null)
  const [wasPressed] = useState(pressed)
  const [typed] = useState(() => typedIn(box.current))
  const focused = box.current?.contains(document.activeElement) ?? false
  useEffect(() => {
    const input = field.current?.querySelector('input')
    if (wasPressed) input?.click()
    if (input && typed !== '') typeInto(input, typed)
  }, [wasPressed, typed])
  return <div ref={field}>{children(wasPressed || focused)}</div>
}

/** Announced as the field it will become: screen readers would otherwise call it read-only. */
const announced = {
  role: 'combobox',
  'aria-expanded': false,
  'aria-haspopup': 'listbox',
  'aria-readonly': false,
  'data-waiting': true,
} as const

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
        <PillsInput.Field {...announced} placeholder={placeholder} />
      </Pill.Group>
    </PillsInput>
  )
}

/** One of several, before it can be opened. */
export const ClosedChoice = (props: TextInputProps) => <TextInput {...props} {...chevron} {...announced} readOnly />
