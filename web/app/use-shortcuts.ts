import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isTyping } from '#web/lib/keys.ts'
import { readStored } from '#web/lib/storage.ts'
import { pageAt } from './navigation/nav-items.ts'
import { goLetters } from './palette/palette-entries.ts'
import { pressInRows } from './row-keys.ts'

const pairWithin = 1500

interface Actions {
  /** So that what is typed behind the opening keys is not lost. */
  loadPalette: () => unknown
  openPalette: () => void
  openKeys: () => void
}

/** ⌘K or Ctrl K opens the palette, `/` the search of the page, `?` the list of keys; G and a letter goes to a page; rows have keys too. */
export function useShortcuts(enabled: boolean, { loadPalette, openPalette, openKeys }: Actions): void {
  const navigate = useNavigate()
  const pressedG = useRef(0)
  useEffect(() => {
    if (!enabled) return
    const single = (event: KeyboardEvent): boolean => {
      if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('#main search input')
        field?.focus()
        return field !== null
      }
      if (event.key === '?') {
        openKeys()
        return true
      }
      const afterG = event.timeStamp - pressedG.current < pairWithin
      pressedG.current = event.key === 'g' ? event.timeStamp : 0
      const path = afterG ? goLetters[event.key] : undefined
      if (path === undefined || !pageAt(path)) return pressInRows(event)
      void navigate(path)
      return true
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') loadPalette()
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role="dialog"]') || readStored('single_keys') === false) return
      if (single(event)) event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [enabled, navigate, loadPalette, openPalette, openKeys])
}
