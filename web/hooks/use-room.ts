import { useSyncExternalStore } from 'react'

const pageMax = 1520
const phoneMax = 768

function subscribe(changed: () => void) {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}

/** Pixels between the gutters of a page; 0 on a phone, where no table fits. */
function measure(): number {
  const width = document.documentElement.clientWidth
  return window.innerWidth <= phoneMax ? 0 : Math.min(width, pageMax) - 48
}

export const useRoom = (): number => useSyncExternalStore(subscribe, measure)
