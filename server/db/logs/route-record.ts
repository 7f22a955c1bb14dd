import { objectOf, parseObject } from '#server/lib/json.ts'
import { readStandings } from '#shared/routing-reasons.ts'

/** How a request went: what was held for it, which channels were tried, and which there were to choose from. */
export interface RouteRecord {
  readonly reserve: number
  readonly tries: readonly TryRecord[]
  readonly candidates: readonly CandidateRecord[]
  readonly cost_by?: CostBasis
  /** A row that stands for so many requests that were refused alike. */
  readonly refused?: number
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
    /** The channel's name of the model, where the message has it: for administrators only. */
    readonly mapped?: string
  } | null
}

/** A vendor's message with the model named as it was asked for. */
export const withModelAskedFor = (message: string, mapped: string | undefined, model: string): string =>
  mapped === undefined ? message : message.replaceAll(mapped, model)

export interface CandidateRecord {
  readonly channel_id: number
  readonly state: string
  readonly reason: string
}

/** The same before it is written: the candidates are a text already. */
export type StoredRoute = Omit<RouteRecord, 'candidates'> & { readonly candidates: string }

export const noRoute: RouteRecord = { reserve: 0, tries: [], candidates: [] }

/**
 * As a row keeps it. Most routes have no fault, and are short: `500|3:120,4:80|3f:weight,4r:priority|0.5`, which is what was held,
 * the channels tried with their milliseconds, where channels stood, and the cost basis. Others are JSON.
 */
export function writeRoute(route: StoredRoute): string {
  if (route.refused !== undefined) return JSON.stringify(route)
  let tries = ''
  for (const { channel, duration_ms, fault } of route.tries) {
    if (fault) return JSON.stringify(route)
    tries += `${tries === '' ? '' : ','}${channel}:${duration_ms}`
  }
  return `${route.reserve}|${tries}|${route.candidates}|${route.cost_by ?? ''}`
}

/** Rows of before routes were written down have none. */
export function parseRoute(text: string): RouteRecord {
  const route = text.startsWith('{') ? parseJsonRoute(text) : parseShortRoute(text)
  return route ? { ...noRoute, ...route, candidates: readStandings(route.candidates) } : noRoute
}

function parseJsonRoute(text: string): StoredRoute | null {
  const record = objectOf(parseObject(text))
  if (!record || !('tries' in record)) return null
  const { candidates } = record
  return { ...(record as unknown as StoredRoute), candidates: typeof candidates === 'string' ? candidates : '' }
}

function parseShortRoute(text: string): StoredRoute | null {
  const [reserve = '', tries = '', candidates, basis = ''] = text.split('|')
  if (candidates === undefined) return null
  return {
    reserve: Number(reserve),
    tries: tries === '' ? [] : tries.split(',').map(parseTry),
    candidates,
    ...(basis === '' ? {} : { cost_by: basis === 'reported' ? basis : Number(basis) }),
  }
}

function parseTry(text: string): TryRecord {
  const [channel = '', milliseconds = ''] = text.split(':')
  return { channel: Number(channel), duration_ms: Number(milliseconds), fault: null }
}
