import { type Ref, useEffect, useImperativeHandle, useState } from 'react'

/** Stands in a layer for a button that is drawn already, so that code fetched later attaches to the same element. */
export function Anchor({ on, ref }: { on: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => on, [on])
  return null
}

/** Whether a layer is shown: never in its first drawing, for only one that opens later remembers where the focus was. */
export function useShown(opened: boolean): boolean {
  const [drawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return drawn && opened
}
