import type { ComponentProps, MouseEvent } from 'react'

interface Props extends ComponentProps<'button'> {
  'data-loading'?: boolean
  'data-disabled'?: boolean
}

/**
 * The element of every button. One that loads, or is only marked as disabled, does nothing when pressed, nor does its form when
 * Enter is pressed in a field. It is not `disabled`: the browser would take the focus from it, and whoever works by keyboard
 * would start again at the top of the page.
 */
export function ButtonElement({ disabled = false, onClick, type = 'button', ...rest }: Props) {
  const loading = rest['data-loading'] === true
  const idle = loading || (rest['data-disabled'] === true && !disabled)
  const press = idle ? (event: MouseEvent) => event.preventDefault() : onClick
  return (
    <button {...rest} type={type} onClick={press} disabled={disabled && !loading} aria-disabled={idle || undefined} />
  )
}
