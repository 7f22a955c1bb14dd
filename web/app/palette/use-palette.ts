import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Entry, EntryGroup } from './palette-entries.ts'
import { holds, useResults } from './use-results.ts'

interface PaletteState {
  /** The name of the list, for what stands in it. */
  list: string
  text: string
  type: (text: string) => void
  /** The thing whose actions are listed. */
  about: Entry | null
  groups: readonly EntryGroup[]
  current: Entry | undefined
  idOf: (entry: Entry) => string
  open: (entry: Entry, newTab: boolean) => void
  press: (event: KeyboardEvent) => void
}

/** What is typed, what is found for it, which of it is chosen, and what each key does there. */
export function usePalette(typed: string, onClose: () => void): PaletteState {
  const list = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  useEffect(() => setText(typed), [typed])
  const [chosen, setChosen] = useState(0)
  const [about, setAbout] = useState<Entry | null>(null)
  /** What was typed before its actions were listed. */
  const [before, setBefore] = useState('')
  // What was found stays while actions are listed, so that the way back needs no new search.
  const found = useResults((about ? before : text).trim())
  const groups = about ? [{ name: about.label, entries: (about.actions ?? []).filter(holds(text.trim())) }] : found
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(chosen, entries.length - 1)]
  const idOf = (entry: Entry) => `${list}-${entry.id}`.replaceAll(/[\s/]/g, '-')
  const type = (next: string) => {
    setText(next)
    setChosen(0)
  }
  const show = (thing: Entry | null) => {
    setAbout(thing)
    if (thing && !about) setBefore(text)
    type(thing ? '' : before)
  }
  const open = (entry: Entry, newTab: boolean) => {
    if (entry.asks) return show(entry)
    onClose()
    if (entry.to !== undefined && newTab) window.open(entry.to, '_blank', 'noopener')
    else if (entry.to !== undefined) void navigate(entry.to)
    else void entry.run?.()
  }
  const pressed = { text, about, current, show, open, close: onClose }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (pressAbout(event, pressed)) return event.preventDefault()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = (Math.min(chosen, entries.length - 1) + step + entries.length) % Math.max(entries.length, 1)
      setChosen(next)
      document.getElementById(entries[next] ? idOf(entries[next]) : '')?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      open(current, event.metaKey || event.ctrlKey)
    }
  }
  return { list, text, type, about, groups, current, idOf, open, press }
}

interface Pressed extends Pick<PaletteState, 'text' | 'about' | 'current' | 'open'> {
  show: (thing: Entry | null) => void
  close: () => void
}

/** Keys that lead into the actions of a thing, run one of them, or lead back; whether it was one. */
function pressAbout(event: KeyboardEvent, { text, about, current, show, open, close }: Pressed): boolean {
  if (event.key === 'Escape') {
    event.stopPropagation()
    if (about) show(null)
    else close()
    return true
  }
  if (event.key === 'Tab' && !event.shiftKey && current?.actions) {
    show(current)
    return true
  }
  if (!about) return event.key === 'Tab'
  if ((event.key === 'Tab' && event.shiftKey) || (event.key === 'Backspace' && text === '')) {
    show(null)
    return true
  }
  const isLetter = text === '' && !event.metaKey && !event.ctrlKey && !event.altKey
  const wanted = isLetter ? about.actions?.find(({ letter }) => letter === event.key.toUpperCase()) : undefined
  if (wanted) open(wanted, false)
  return wanted !== undefined || event.key === 'Tab'
}
