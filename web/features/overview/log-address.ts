import type { OverviewState } from './use-overview.ts'

/** The rows of the log behind a stretch of time, narrowed to what the page is narrowed to. */
export function logAddress(state: Pick<OverviewState, 'chips'>, { from, to }: { from: number; to: number }): string {
  const query = new URLSearchParams({ type: '2' })
  // The log knows one value a field, and none that is left out.
  for (const { field, value, leaveOut } of state.chips) {
    const name = field === 'team' ? 'team_id' : field
    if (!leaveOut && !query.has(name)) query.set(name, value)
  }
  query.set('start_timestamp', String(from))
  query.set('end_timestamp', String(to - 1))
  return `/log?${query}`
}
