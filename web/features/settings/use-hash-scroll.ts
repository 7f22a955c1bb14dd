import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Brings the section that the address names into view: the router only changes the address. */
export function useHashScroll(): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    // Every click has a key of its own, also one on the section that is named already.
    if (key) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash, key])
}
