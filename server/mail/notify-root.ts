import type { Context } from '#server/context.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { fetchUnmoved } from '#server/lib/network/fetch-unmoved.ts'
import { roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { canSendMail, sendMail } from './mailer.ts'
import { claimNotice, type NoticeKind, noticesPerHour, releaseNotice } from './notice-slots.ts'
import { noticeMail } from './templates.ts'

export interface Notice {
  readonly kind: NoticeKind
  readonly title: string
  readonly content: string
}

type Needs = Pick<Context, 'options' | 'log' | 'fetch' | 'database' | 'clock'>

/**
 * Notifies the super administrator, by message pusher, else by mail, a few times an hour of one kind. Never throws: what is being
 * reported goes on whether or not it can be sent. Returns whether it was sent.
 */
export async function notifyRoot(ctx: Needs, notice: Notice): Promise<boolean> {
  try {
    const slot = await claimNotice(ctx, notice.kind)
    if (slot === null) {
      ctx.log.info('a notice to the administrator was one too many for this hour', { title: notice.title })
      return false
    }
    const last =
      slot === noticesPerHour - 1 ? `\nThere may be more of this kind: ${noticesPerHour} are sent an hour.` : ''
    const isSent = await deliver(ctx, { ...notice, content: notice.content + last })
    if (!isSent) await releaseNotice(ctx, notice.kind, slot)
    return isSent
  } catch (cause) {
    ctx.log.warn('the administrator could not be notified', { title: notice.title, cause })
    return false
  }
}

async function deliver(ctx: Needs, notice: Notice): Promise<boolean> {
  if (await push(ctx, notice)) return true
  return mailRoot(ctx, notice).catch((cause) => {
    ctx.log.warn('the administrator could not be notified', { title: notice.title, cause })
    return false
  })
}

async function push({ options, log, fetch }: Needs, { title, content }: Notice): Promise<boolean> {
  const { MessagePusherAddress: address, MessagePusherToken: token } = options()
  if (address === '') return false
  try {
    const answer = await fetchUnmoved(fetch, address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, description: content, content, url: '', channel: '', token }),
      signal: AbortSignal.timeout(5000),
    })
    const { success, message } = ((await boundedJson(answer)) ?? {}) as { success?: unknown; message?: unknown }
    if (success !== true) log.warn('the message pusher refused a notice', { message: String(message) })
    return success === true
  } catch (cause) {
    log.warn('the message pusher cannot be reached', { cause })
    return false
  }
}

async function mailRoot(ctx: Needs, { title, content }: Notice): Promise<boolean> {
  if (!canSendMail(ctx.options())) return false
  const root = await ctx.database.db
    .selectFrom('users')
    .select('email')
    .where('role', '=', roles.root)
    .where('status', '=', userStatus.activated)
    .where('email', '<>', '')
    .orderBy('id')
    .executeTakeFirst()
  if (!root) return false
  await sendMail(ctx, noticeMail({ to: root.email, title, content }))
  return true
}
