import { useEffect, useState } from 'react'
import { type Log, logsApi } from '#shared/api/logs.ts'
import { call } from '#web/lib/api.ts'
import type { Filter } from './log-filter.ts'

const everyMs = 2000
const rowsShown = 100

export interface Live {
  readonly rows: readonly Log[]
  /** The last try failed; the next one follows by itself. */
  readonly interrupted: boolean
}

/** Rows written since `start`, newest first, while it is on. */
export function useLive(on: boolean, everyone: boolean, filter: Filter, start: number): Live {
  const [live, setLive] = useState<Live>({ rows: [], interrupted: false })
  const asked = JSON.stringify(filter)
  // The place to start from is where the list stood when following began, not where it stands now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!on) return setLive({ rows: [], interrupted: false })
    let after = start
    let timer: ReturnType<typeof setTimeout>
    let stopped = false
    const { username, channel, end_timestamp: _, ...own } = JSON.parse(asked) as Filter
    const look = async () => {
      try {
        const place = { after_id: after, pagesize: rowsShown }
        const { list } = everyone
          ? await call(logsApi.list, { ...own, username, channel, ...place })
          : await call(logsApi.own, { ...own, ...place })
        if (stopped) return
        after = list.at(-1)?.id ?? after
        setLive(({ rows }) => ({ rows: [...[...list].reverse(), ...rows].slice(0, rowsShown), interrupted: false }))
      } catch {
        if (!stopped) setLive(({ rows }) => ({ rows, interrupted: true }))
      }
      if (!stopped) timer = setTimeout(look, everyMs)
    }
    void look()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [on, everyone, asked])
  return live
}
