import type { Generated } from 'kysely'

export interface LogsTable {
  id: Generated<number>
  user_id: number
  created_at: number
  type: number
  content: string
  username: string
  token_name: string
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  channel: number
  request_id: string
  duration_ms: number
  first_byte_ms: number
  is_stream: number
  outcome: string
  /** Comma-separated channel ids. */
  tried: string
  /** JSON object, or ''. */
  detail: string
  /** 0 on rows of before it was written down. */
  token_id: number
  /** The team that paid; 0 when the user did. */
  team_id: number
  /** The user group whose ratio was charged. */
  group: string
  /** The part of the prompt that came from the vendor's cache. */
  cached_tokens: number
  /** What the request cost the operator, in quota; null when nobody knows. */
  cost: number | null
  /** How the request went, as JSON of `RouteRecord`, or ''. Never shown in lists. */
  route: string
}
