import type { ClientConnection } from '#server/http/listen.ts'
import type { BodyPlace } from './body-place.ts'

/** A request as it arrived at one of the relay's doors. */
export interface InboundRequest {
  /** Ours, unique and in order of time; clients see it in headers and messages. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly http: Request
  readonly url: URL
  /** Computed on demand. */
  readonly clientAddress: () => string
  readonly connection: ClientConnection
  readonly place: BodyPlace
}

export const wantsSocket = ({ http }: Pick<InboundRequest, 'http'>): boolean =>
  http.headers.get('upgrade')?.toLowerCase() === 'websocket'
