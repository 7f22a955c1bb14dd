import { useEffect, useRef, useState } from 'react'
import { type Log, logsApi } from '#shared/api/logs.ts'
import { call } from '#web/lib/api.ts'
import type { Filter } from './log-filter.ts'
import { runningRow } from './running-rows.tsx'

const everyMs = 2000
const longestPauseMs = 30_000
const rowsShown = 100
/** Of more than 20 rows a second the rest is counted. */
const drawnMax = 20 * (everyMs / 1000)
/** How many pages are read at once to catch up. */
const pagesMax = 10

export interface Live {
  readonly rows: readonly Log[]
  /** What is being answered now, as rows. */
  readonly running: readonly Log[]
  /** Rows of the last look that are not drawn. */
  readonly skipped: number
  /** New rows that wait while the reader looks at something. */
  readonly waiting: readonly Log[]
  /** Rows a second, of the last look. */
  readonly pace: number
  /** Seconds to the next try after one that failed, which follows by itself; 0 while all is well. */
  readonly againIn: number
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

type State = Omit<Live, 'again' | 'show'>

const nothing: State = { rows: [], running: [], skipped: 0, waiting: [], pace: 0, againIn: 0 }

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
    setState(nothing)
    if (!on) return
    let after = start
    let timer: ReturnType<typeof setTimeout>
    let stopped = false
    const { username, channel, end_timestamp: _, ...own } = JSON.parse(asked) as Filter
    const take = (list: readonly Log[], running: readonly Log[]) => {
      const more = list.toReversed()
      const drawn = more.slice(0, drawnMax)
      setState((before) => ({
        rows: isPaused.current ? before.rows : newest(drawn, before.rows),
        running: isPaused.current ? before.running : running,
        skipped: isPaused.current ? 0 : more.length - drawn.length,
        waiting: isPaused.current ? [...more, ...before.waiting] : before.waiting,
        pace: Math.round(list.length / (everyMs / 1000)),
        againIn: 0,
      }))
    }
    const all = { ...own, username, channel }
    const rowsAfter = async () => {
      const list: Log[] = []
      for (let page = 0; page < pagesMax; page++) {
        const place = { after_id: after, pagesize: rowsShown }
        const found = await (everyone
          ? call(logsApi.list, { ...all, ...place })
          : call(logsApi.own, { ...own, ...place }))
        list.push(...found.list)
        after = list.at(-1)?.id ?? after
        if (found.list.length < rowsShown) break
      }
      return list
    }
    let pause = everyMs
    let looking = false
    const next = async () => {
      if (looking) return
      looking = true
      clearTimeout(timer)
      try {
        const running = await (everyone ? call(logsApi.running, all) : call(logsApi.ownRunning, own))
        const list = await rowsAfter()
        if (stopped) return
        pause = everyMs
        take(list, running.map(runningRow))
      } catch {
        pause = Math.min(longestPauseMs, pause * 2)
        if (!stopped) setState((before) => ({ ...before, againIn: pause / 1000 }))
      }
      looking = false
      if (!stopped) timer = setTimeout(next, pause)
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
