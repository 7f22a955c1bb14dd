import type { Dimension } from './cells.ts'

export const quarterSeconds = 900
export const daySeconds = 86_400

/** Roll-ups are kept by quarter hour, so that the days of every time zone are exact, and by UTC day, so that months are quick. */
export type Span = typeof quarterSeconds | typeof daySeconds

/** A table of roll-ups: which columns it keeps apart, and for which stretches of time. */
export interface Shape {
  readonly table: 'usage_details' | 'usage_routes' | 'usage_tokens'
  readonly keys: readonly Dimension[]
  readonly spans: readonly Span[]
}

/** Everything apart. */
export const details: Shape = {
  table: 'usage_details',
  keys: ['user_id', 'token_id', 'token_name', 'team_id', 'group', 'model_name', 'channel'],
  spans: [quarterSeconds, daySeconds],
}

/** What administrators ask first, over all users. */
export const routes: Shape = {
  table: 'usage_routes',
  keys: ['model_name', 'channel', 'group'],
  spans: [quarterSeconds, daySeconds],
}

/** Who spends, over long times. */
export const tokens: Shape = {
  table: 'usage_tokens',
  keys: ['user_id', 'token_id', 'token_name', 'team_id'],
  spans: [daySeconds],
}

export const shapes: readonly Shape[] = [details, routes, tokens]
