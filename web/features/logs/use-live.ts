import { useEffect, useRef, useState } from 'react'
import { type Log, logsApi } from '#shared/api/logs.ts'
import { call } from '#web/lib/api.ts'
import type { Filter } from './log-filter.ts'

const everyMs = 2000
const rowsShown = 100

export interface Live {
  readonly rows: readonly Log[]
  /** New rows that wait while the reader looks at something. */
  readonly waiting: readonly Log[]
  /** Rows a second, of the last look. */
  readonly pace: number
  /** Whether the last try failed; the next one follows by itself. */
  readonly interrupted: boolean
  /** Asks at once, not when it is time again. */
  readonly again: () => void
  /** Shows what waits. */
  readonly show: () => void
}

interface Wanted {
  readonly on: boolean
  readonly paused: boolean
  readonly everyone: boolean
  readonly filter: Filter
  /** The newest row the list has. */
  readonly start: number
}

interface State {
  readonly rows: readonly Log[]
  readonly waiting: readonly Log[]
  readonly pace: number
  readonly interrupted: boolean
}

const nothing: State = { rows: [], waiting: [], pace: 0, interrupted: false }

const newest = (more: readonly Log[], before: readonly Log[]): Log[] => [...more, ...before].slice(0, rowsShown)

/** Rows written since `start`, newest first, while it is on. */
export function useLive({ on, paused, everyone, filter, start }: Wanted): Live {
  const [state, setState] = useState<State>(nothing)
  const isPaused = useRef(paused)
  isPaused.current = paused
  const look = useRef(() => {})
  const asked = JSON.stringify(filter)
  // The place to start from is where the list stood when following began, not where it stands now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!on) return setState(nothing)
    let after = start
    let timer: ReturnType<typeof setTimeout>
    let stopped = false
    const { username, channel, end_timestamp: _, ...own } = JSON.parse(asked) as Filter
    const take = (list: readonly Log[]) => {
      const more = list.toReversed()
      setState(({ rows, waiting }) => ({
        rows: isPaused.current ? rows : newest(more, rows),
        waiting: isPaused.current ? [...more, ...waiting] : waiting,
        pace: Math.round(list.length / (everyMs / 1000)),
        interrupted: false,
      }))
    }
    const next = async () => {
      clearTimeout(timer)
      try {
        const place = { after_id: after, pagesize: rowsShown }
        const { list } = everyone
          ? await call(logsApi.list, { ...own, username, channel, ...place })
          : await call(logsApi.own, { ...own, ...place })
        if (stopped) return
        after = list.at(-1)?.id ?? after
        take(list)
      } catch {
        if (!stopped) setState((before) => ({ ...before, interrupted: true }))
      }
      if (!stopped) timer = setTimeout(next, everyMs)
    }
    look.current = () => void next()
    void next()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [on, everyone, asked])
  return {
    ...state,
    again: () => look.current(),
    show: () => setState(({ rows, waiting, ...rest }) => ({ ...rest, rows: newest(waiting, rows), waiting: [] })),
  }
}
