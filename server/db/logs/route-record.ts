import { objectOf, parseObject } from '#server/lib/json.ts'
import { readStandings } from '#shared/routing-reasons.ts'

/** How a request went: what was held for it, which channels were tried, and which there were to choose from. */
export interface RouteRecord {
  readonly reserve: number
  readonly tries: readonly TryRecord[]
  readonly candidates: readonly CandidateRecord[]
  readonly cost_by?: CostBasis
}

/** The share of the public price that is paid there, or that the vendor said what it cost. */
export type CostBasis = number | 'reported'

export interface TryRecord {
  readonly channel: number
  /** From sending to the first byte of a good answer, or to the fault. */
  readonly duration_ms: number
  readonly fault: {
    readonly status: number
    readonly message: string
    /** Speaks of the operator's account with the vendor: for administrators only. */
    readonly internal?: true
  } | null
}

export interface CandidateRecord {
  readonly channel_id: number
  readonly state: string
  readonly reason: string
}

/** The same as it is written into the row. */
export type StoredRoute = Omit<RouteRecord, 'candidates'> & { readonly candidates: string }

export const noRoute: RouteRecord = { reserve: 0, tries: [], candidates: [] }

/** Rows of before routes were written down have none. */
export function parseRoute(text: string): RouteRecord {
  const record = objectOf(parseObject(text))
  if (!record || !('tries' in record)) return noRoute
  const { candidates, ...route } = record as unknown as StoredRoute
  return { ...noRoute, ...route, candidates: typeof candidates === 'string' ? readStandings(candidates) : [] }
}
