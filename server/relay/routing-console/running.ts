import type { z } from 'zod'
import type { Actor } from '#server/http/call.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { teamRole } from '#server/resources/logs/logs.store.ts'
import type { LogFilter, Negatable, OwnLogFilter, RunningRequest } from '#shared/api/logs.ts'
import { AppError } from '#shared/errors.ts'
import { logType } from '#shared/statuses.ts'

type OwnFilter = z.output<typeof OwnLogFilter>

const shown = 20

/** Filters about finished requests match no running one. */
const fitsRunning = (filter: OwnFilter): boolean =>
  fits(filter, 'type', logType.consumption) && filter.outcome === '' && filter.slow !== 'true'

function fits<Filter extends OwnFilter>(
  filter: Filter,
  name: Negatable & keyof Filter,
  found: string | number,
): boolean {
  const asked: unknown = filter[name]
  return asked === '' || asked === 0 || (asked === found) !== filter.not.split(',').includes(name)
}

const groupOf = ({ delivery, caller }: RelayedRequest): string => delivery?.group ?? caller.groups[0] ?? ''
const channelOf = ({ delivery, tried }: RelayedRequest): number => delivery?.channel.id ?? tried.at(-1) ?? 0

function select(
  { running, ctx }: RelayContext,
  filter: OwnFilter,
  isWanted: (request: RelayedRequest) => boolean,
): RunningRequest[] {
  if (!fitsRunning(filter)) return []
  const now = ctx.clock()
  return running
    .filter(
      (request) =>
        fits(filter, 'token_name', request.caller.tokenName) &&
        fits(filter, 'model_name', request.ask.model) &&
        (filter.team_id === 0 || filter.team_id === request.caller.teamId) &&
        fits(filter, 'group', groupOf(request)) &&
        isWanted(request),
    )
    .toSorted((one, other) => other.startedAt - one.startedAt)
    .slice(0, shown)
    .map((request) => present(request, now))
}

const present = (request: RelayedRequest, now: number): RunningRequest => ({
  request_id: request.id,
  user_id: request.caller.userId,
  username: request.caller.username,
  token_name: request.caller.tokenName,
  model_name: request.ask.model,
  team_id: request.caller.teamId,
  group: groupOf(request),
  channel: channelOf(request),
  prompt_tokens: Math.ceil(request.measured.size.tokens),
  is_stream: request.ask.stream,
  created_at: Math.floor(request.startedAt / 1000),
  duration_ms: Math.max(0, Math.round(now - request.startedAt)),
  first_byte_ms: request.firstByteAt === 0 ? 0 : Math.max(0, Math.round(request.firstByteAt - request.startedAt)),
})

export const runningRequests = (context: RelayContext, filter: z.output<typeof LogFilter>): RunningRequest[] =>
  select(
    context,
    filter,
    (request) => fits(filter, 'username', request.caller.username) && fits(filter, 'channel', channelOf(request)),
  )

/** The caller's own requests; with a team, those of all members if the caller manages it. The channel is hidden from users. */
export async function ownRunningRequests(
  context: RelayContext,
  actor: Actor,
  filter: OwnFilter,
): Promise<RunningRequest[]> {
  const isManager = filter.team_id > 0 && (await managesTeam(context, actor, filter.team_id))
  const found = select(context, filter, ({ caller }) => isManager || caller.userId === actor.id)
  return found.map((request) => ({ ...request, channel: 0 }))
}

async function managesTeam({ ctx }: RelayContext, actor: Actor, teamId: number): Promise<boolean> {
  const role = await teamRole(ctx.database.db, teamId, actor.id)
  if (role === undefined) throw new AppError('auth.forbidden')
  return role !== 'member'
}
