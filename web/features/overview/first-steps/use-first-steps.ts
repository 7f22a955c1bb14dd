import { useQuery } from '@tanstack/react-query'
import type { FirstSteps } from '#shared/api/status.ts'
import { useFirstStepsView } from '#web/state/first-steps.ts'
import { firstStepsQuery } from '#web/state/queries/site-queries.ts'

/** How far the installation is; null when that is not to be shown, undefined while nobody knows. */
export function useFirstSteps(): FirstSteps | null | undefined {
  const view = useFirstStepsView()
  const { data, isError } = useQuery({ ...firstStepsQuery, enabled: view !== 'hidden' })
  if (view === 'hidden' || isError) return null
  return data?.request_answered && view !== 'asked' ? null : data
}
