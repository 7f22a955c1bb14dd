import type { Context } from '#server/context.ts'
import { requestRow } from '#server/db/logs/request-ids.ts'
import { parseRoute, type TryRecord, withModelAskedFor } from '#server/db/logs/route-record.ts'
import type { Actor } from '#server/http/call.ts'
import { objectOf } from '#server/lib/json.ts'
import type { RequestDetail } from '#shared/api/logs.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'
import { present, withoutChannels } from './logs.service.ts'
import { type LogRow, teamRole } from './logs.store.ts'

async function maySee(ctx: Context, actor: Actor, row: LogRow): Promise<boolean> {
  if (isAdmin(actor.role) || row.user_id === actor.id) return true
  if (row.team_id === 0) return false
  const role = await teamRole(ctx.database.db, row.team_id, actor.id)
  return role === 'owner' || role === 'manager'
}

const internalFault = 'The upstream refused the channel; the administrator has to look at it.'

const shownTry = ({ channel, duration_ms, fault }: TryRecord): RequestDetail['tries'][number] => ({
  channel,
  duration_ms,
  fault: fault && { status: fault.status, message: fault.message },
})

/** An attempt as users see it: without its channel, and without that channel's name of the model. */
const usersTry = ({ duration_ms, fault }: TryRecord, model: string): RequestDetail['tries'][number] => ({
  channel: 0,
  duration_ms,
  fault: fault && {
    status: fault.status,
    message: fault.internal ? internalFault : withModelAskedFor(fault.message, fault.mapped, model),
  },
})

/** How one request went, for administrators, for who asked, and for the managers of the team that paid. */
export async function requestDetail(ctx: Context, actor: Actor, requestId: string): Promise<RequestDetail> {
  const row = await requestRow(ctx.database.db, requestId)
  if (!row || !(await maySee(ctx, actor, row))) throw new AppError('log.request_not_found')
  const admin = isAdmin(actor.role)
  const log = admin ? present(row) : withoutChannels(present(row))
  const { reserve, tries, candidates, cost_by } = parseRoute(row.route)
  return {
    row: log,
    tries: tries.map((each) => (admin ? shownTry(each) : usersTry(each, row.model_name))),
    reserve,
    ...(admin && cost_by !== undefined ? { cost_by } : {}),
    charge: objectOf(log.detail.charge) ?? null,
    candidates: candidates.map(({ channel_id, state, reason }) => ({
      channel_id: admin ? channel_id : 0,
      state,
      reason,
    })),
  }
}
