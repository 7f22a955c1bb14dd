import { useState } from 'react'

/** The rows of a list that were ticked, also on other pages of it. */
export interface Selection {
  ids: ReadonlySet<number>
  /** Whether ticks are shown where there is little room: there it begins with "Select". */
  picking: boolean
  pick: () => void
  /** Ticks or unticks a row; with a range, everything from the row before to it. */
  toggle: (id: number, shown: readonly number[], range: boolean) => void
  /** Ticks all of these, or none of them when all are. */
  toggleAll: (shown: readonly number[]) => void
  select: (ids: readonly number[]) => void
  clear: () => void
}

/** `whose` is the list the ticks belong to: those of another are not taken along to it. */
export function useSelection(whose = 0): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [last, setLast] = useState<number | null>(null)
  const [picking, setPicking] = useState(false)
  const [owner, setOwner] = useState(whose)
  const clear = () => {
    setIds(new Set())
    setLast(null)
    setPicking(false)
  }
  if (owner !== whose) {
    setOwner(whose)
    clear()
  }
  return {
    ids,
    picking: picking || ids.size > 0,
    pick: () => setPicking(true),
    toggle(id, shown, range) {
      const begin = range && last !== null ? shown.indexOf(last) : -1
      const end = shown.indexOf(id)
      const touched = begin < 0 ? [id] : shown.slice(Math.min(begin, end), Math.max(begin, end) + 1)
      const next = new Set(ids)
      for (const one of touched) ids.has(id) ? next.delete(one) : next.add(one)
      setIds(next)
      setLast(id)
    },
    toggleAll(shown) {
      const next = new Set(ids)
      const all = shown.every((id) => ids.has(id))
      for (const id of shown) all ? next.delete(id) : next.add(id)
      setIds(next)
    },
    select: (all) => setIds(new Set(all)),
    clear,
  }
}
