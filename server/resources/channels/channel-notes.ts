import type { Context } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { logAction } from '#server/history/log-action.ts'
import { type ChangeAuthor, record } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { redact } from '#server/lib/log.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import type { ChannelRow } from './channels.store.ts'

/** Names and addresses of channels may hold credentials by mistake. */
export const logChannelAction = (ctx: Context, tx: Tx, actor: Actor, content: string): Promise<void> =>
  logAction(ctx, tx, actor, redact(content))

interface ChannelChange {
  readonly before: ChannelRow | null
  readonly after: ChannelRow | null
}

/** One entry of the history, however many channels were changed. */
export const recordChannelChanges = (
  ctx: Context,
  tx: Tx,
  actor: ChangeAuthor,
  changes: readonly ChannelChange[],
): Promise<number> =>
  record(ctx, tx, actor, {
    kind: 'channel',
    things: changes.map(({ before, after }) => ({
      id: after?.id ?? before?.id ?? 0,
      name: after?.name ?? before?.name ?? '',
      before,
      after,
    })),
  })

export const channelLabel = ({ id, name, type }: Pick<ChannelRow, 'id' | 'name' | 'type'>): string =>
  `channel ${id} "${name}" (${channelTypeOf(type)?.label ?? type})`
