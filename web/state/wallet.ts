import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Team } from '#shared/api/teams.ts'
import { manages } from '#shared/teams.ts'
import { ownReport } from '#web/lib/failures.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { ownTeamsQuery } from './queries/team-queries.ts'
import { useUser } from './session.tsx'

const listeners = new Set<() => void>()

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

const stored = (): number => readStored('wallet') ?? 0

/** Looks at the wallet of this team from now on, or at the own one with 0. */
export function chooseWallet(teamId: number): void {
  store('wallet', teamId)
  for (const changed of listeners) changed()
}

/** The team whose wallet is looked at; none when it is the own one, or a team one is not in. */
export function useWalletTeam(): Team | undefined {
  const { user } = useUser()
  const chosen = useSyncExternalStore(subscribe, stored)
  const { data: teams } = useQuery({ ...ownTeamsQuery, enabled: user !== null, meta: ownReport })
  return teams?.find(({ id }) => id === chosen)
}

/** Whose usage the figures count: a team's for those who run it, else the own. */
export function useUsageScope(): string {
  const team = useWalletTeam()
  return team?.role && manages(team.role) ? `team:${team.id}` : 'self'
}
