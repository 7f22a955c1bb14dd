import {
  type ComponentType,
  cloneElement,
  lazy,
  type MouseEvent,
  type ReactElement,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react'
import { reportFailure } from '#web/lib/failures.ts'

interface OnButton {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>
}

/** What a layer learns from the button it hangs on. */
export interface Hanging {
  /** The button; it has an id. */
  anchor: HTMLElement
  opened: boolean
  onChange: (opened: boolean) => void
}

/** What opens on a button. What draws it is fetched as the pointer comes near: most visits open none. */
export function onDemand<Props extends object>(
  kind: 'menu' | 'dialog',
  load: () => Promise<ComponentType<Props & Hanging>>,
) {
  const Layer = lazy(async () => ({ default: await load() }))
  const preload = () => void load().catch(() => undefined)
  return function OnDemand(props: Props & OnButton) {
    const { target } = props
    const [anchor, setAnchor] = useState<HTMLElement>()
    const [opened, setOpened] = useState(false)
    const ownId = useId()
    const { id = ownId } = target.props
    const open = (button: HTMLElement) => {
      setAnchor(button)
      setOpened(true)
    }
    // A press that began before the layer opened is the wish to open it, though it may end after.
    const openedBefore = useRef(false)
    const begin = () => {
      openedBefore.current = opened
    }
    const press = ({ currentTarget, detail }: MouseEvent<HTMLElement>) => {
      const isByKey = detail === 0
      if (opened && (isByKey || openedBefore.current)) setOpened(false)
      if (opened) return
      // Not every browser focuses a button that is clicked; closing gives the focus back to it.
      currentTarget.focus()
      void load().then(() => open(currentTarget), reportFailure)
    }
    const button = cloneElement(target, {
      id,
      'aria-haspopup': kind,
      'aria-expanded': opened,
      onPointerEnter: preload,
      onFocus: preload,
      onPointerDown: begin,
      onClick: press,
    })
    return (
      <>
        {button}
        {anchor && (
          <Suspense>
            <Layer {...props} anchor={anchor} opened={opened} onChange={setOpened} />
          </Suspense>
        )}
      </>
    )
  }
}
