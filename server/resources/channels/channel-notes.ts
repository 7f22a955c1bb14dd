import type { Context } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { type ChangeAuthor, record } from '#server/history/record.ts'
import { redact } from '#server/lib/log.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import type { ChannelRow } from './channels.store.ts'

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

/** Which channel an event is about. Names of channels may hold credentials by mistake. */
export const channelFacts = ({ id, name, type }: Pick<ChannelRow, 'id' | 'name' | 'type'>) => ({
  id,
  name: redact(name),
  type: channelTypeOf(type)?.label ?? type,
})
