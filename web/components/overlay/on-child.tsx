import {
  type ComponentType,
  cloneElement,
  lazy,
  type ReactElement,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { reportFailure } from '#web/lib/failures.ts'

interface OnElement {
  opened: boolean
  onClose: () => void
  /** The button it comes from, or what holds it. */
  children: ReactElement<{ ref?: RefObject<HTMLElement | null> }>
}

/** What a layer learns of the element it hangs on. */
export interface Anchored {
  anchor: HTMLElement
}

/** What hangs on an element and is opened by what happens around it. What draws it is fetched when it first opens. */
export function onChild<Props extends object>(load: () => Promise<ComponentType<Props & Anchored>>) {
  const Layer = lazy(async () => ({ default: await load() }))
  return function OnChild(props: Props & OnElement) {
    const child = useRef<HTMLElement>(null)
    const [anchor, setAnchor] = useState<HTMLElement | null>(null)
    const { opened, onClose, children } = props
    useEffect(() => {
      const fail = (error: unknown) => {
        reportFailure(error)
        // What never showed is closed, so that the next press asks for it again.
        onClose()
      }
      if (opened) load().then(() => setAnchor(child.current), fail)
    }, [opened, onClose])
    return (
      <>
        {cloneElement(children, { ref: child })}
        {anchor && (
          <Suspense>
            <Layer {...props} anchor={anchor} />
          </Suspense>
        )}
      </>
    )
  }
}
