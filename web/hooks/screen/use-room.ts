import { useSyncExternalStore } from 'react'

const pageMax = 1520
const phoneMax = 768
/** From here on the navigation stands at the left. */
const sideFrom = 992
const sideWidth = 208
const gutters = 48

function subscribe(changed: () => void) {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}

/** Pixels between the gutters of a page; 0 on a phone, where no table fits. */
function measure(): number {
  const { innerWidth } = window
  if (innerWidth <= phoneMax) return 0
  const side = innerWidth >= sideFrom ? sideWidth : 0
  return Math.min(document.documentElement.clientWidth - side, pageMax) - gutters
}

export const useRoom = (): number => useSyncExternalStore(subscribe, measure)
