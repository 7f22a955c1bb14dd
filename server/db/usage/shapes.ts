import { daySeconds } from '#server/lib/time/day.ts'
import type { Dimension } from './cells.ts'

export const quarterSeconds = 900
export const hourSeconds = 3600
/** Longer than a week: what months are made of. */
export const longSeconds = 8 * daySeconds

/**
 * Roll-ups are kept by quarter hour, so that the days of every time zone are exact, and by UTC day, so that months are quick; what is
 * short or read for few people also by hour, so that months of other zones are, and what is read as a whole by eight days.
 */
export type RollupSpan = typeof quarterSeconds | typeof hourSeconds | typeof daySeconds | typeof longSeconds

/** A table of roll-ups: which columns it keeps apart, and for which stretches of time. */
export interface Shape {
  readonly table:
    | 'usage_details'
    | 'usage_routes'
    | 'usage_people'
    | 'usage_totals'
    | 'usage_models'
    | 'usage_channels'
    | 'usage_groups'
    | 'usage_teams'
  readonly keys: readonly Dimension[]
  readonly spans: readonly RollupSpan[]
  /** As it was before attempts were counted. */
  readonly lacksAttempts?: true
  /** Columns that lead to few rows through an index, the best first. */
  readonly indexes?: readonly ColumnIndex[]
}

interface ColumnIndex {
  readonly column: Dimension
  readonly name: string
  readonly spans: readonly RollupSpan[]
}

/** Everything apart. */
export const details: Shape = {
  table: 'usage_details',
  keys: ['user_id', 'token_id', 'token_name', 'team_id', 'group', 'model_name', 'channel'],
  spans: [quarterSeconds, daySeconds],
  indexes: [
    { column: 'user_id', name: 'usage_details_user_id_span_slot', spans: [quarterSeconds, daySeconds] },
    { column: 'team_id', name: 'usage_details_team_id_span_slot', spans: [quarterSeconds, daySeconds] },
    { column: 'token_name', name: 'usage_details_token_name_days', spans: [daySeconds] },
    { column: 'model_name', name: 'usage_details_model_name_days', spans: [daySeconds] },
    { column: 'channel', name: 'usage_details_channel_days', spans: [daySeconds] },
  ],
}

/** What administrators ask first, over all users. */
const routes: Shape = {
  table: 'usage_routes',
  keys: ['model_name', 'channel', 'group'],
  spans: [quarterSeconds, daySeconds],
}

const peopleSpans: readonly RollupSpan[] = [hourSeconds, daySeconds, longSeconds]

/** Who spends, over long times. */
export const people: Shape = {
  table: 'usage_people',
  keys: ['user_id', 'token_id', 'token_name', 'team_id', 'group'],
  spans: peopleSpans,
  indexes: [
    { column: 'user_id', name: 'usage_people_user_id_span_slot', spans: peopleSpans },
    { column: 'token_id', name: 'usage_people_token_id_span_slot', spans: peopleSpans },
    { column: 'team_id', name: 'usage_people_team_id_span_slot', spans: peopleSpans },
  ],
}

const short: readonly RollupSpan[] = [quarterSeconds, hourSeconds, daySeconds, longSeconds]

/** Everything, and one thing at a time: a few rows even for months. */
const narrow: readonly Shape[] = [
  { table: 'usage_totals', keys: [], spans: short },
  { table: 'usage_groups', keys: ['group'], spans: short },
  { table: 'usage_teams', keys: ['team_id'], spans: short },
  // There may be many, and requests go to all of them at once.
  { table: 'usage_channels', keys: ['channel'], spans: [quarterSeconds, daySeconds] },
  { table: 'usage_models', keys: ['model_name'], spans: short },
]

/** The shortest first. */
export const shapes: readonly Shape[] = [...narrow, routes, people, details]
