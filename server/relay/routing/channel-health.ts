import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { transact } from '#server/db/transact.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { record, theSystem } from '#server/history/record.ts'
import type { Notice } from '#server/mail/notify-root.ts'
import { fieldNames } from '#shared/field-names.ts'
import { eventText, type LogEvent, logEvents } from '#shared/log-events.ts'
import { channelStatus, logType } from '#shared/statuses.ts'
import type { Breaker } from './breaker.ts'
import { consequencesOf, retryAfterMs } from './fault-consequences.ts'
import { createKeptFaults } from './kept-faults.ts'
import type { KeyPools } from './key-pools.ts'
import type { RoutedChannel } from './routing-table.ts'

/** Receives the result of every attempt and acts on it: the breaker at once, the automatic switch for dead credentials. */
export interface ChannelHealth {
  succeeded(channel: RoutedChannel, begunAt: number): void
  failed(channel: RoutedChannel, fault: ChatFault, retryAfter: string | null): void
  /** Its credentials are dead; of a pool those of every key. */
  isDead(channel: RoutedChannel, fault: ChatFault): boolean
  /** Switches an enabled channel off and notifies the super administrator once. Returns whether it was enabled. */
  disable(channel: { id: number; name: string }, reason: string): Promise<boolean>
  /** Notifies the super administrator of a channel that stays as it is. */
  warn(channel: { id: number; name: string }, slowness: string): void
  /** Switches on a channel that was switched off automatically, never one a person disabled. */
  enable(channel: { id: number; name: string }): Promise<boolean>
}

/** Notifies the super administrator; never waits and never throws. */
export type Notify = (notice: Notice) => void

/** A change of a channel's status, with its notification and its log event. */
interface Switch {
  readonly from: number
  readonly to: number
  readonly kind: Notice['kind']
  readonly title: string
  readonly event: LogEvent
}

interface Parts {
  readonly breaker: Breaker
  readonly keys: KeyPools
}

export function createChannelHealth(ctx: Context, { breaker, keys }: Parts, notify: Notify): ChannelHealth {
  const change = async (channel: { id: number; name: string }, { from, to, kind, title, event }: Switch) => {
    const changed = await transact(ctx, async (tx, announce) => {
      const result = await tx
        .updateTable('channels')
        .set({ status: to })
        .where('id', '=', channel.id)
        .where('status', '=', from)
        .executeTakeFirst()
      if (result.numUpdatedRows === 0n) return false
      const status = (is: number) => ({ status: is })
      const thing = { id: channel.id, name: channel.name, before: status(from), after: status(to) }
      await record(ctx, tx, theSystem, { kind: 'channel', things: [thing] })
      await writeLog(tx, { userId: 0, username: '', type: logType.system, event, at: epochSeconds(ctx) })
      announce({ topic: 'channels' })
      return true
    })
    if (changed) notify({ kind, title, content: eventText(logEvents, event, fieldNames) ?? '' })
    return changed
  }
  const kept = createKeptFaults(ctx)
  const health: ChannelHealth = {
    succeeded: (channel, begunAt) => breaker.succeed(channel.id, ctx.clock(), begunAt),
    failed(channel, fault, retryAfter) {
      const verdict = consequencesOf(fault)
      const now = ctx.clock()
      if (verdict.retry) kept.note(channel.id, fault)
      if (fault.status === 429 && !verdict.disable) kept.trouble(channel.id, 'limit', now)
      if (verdict.channel) {
        breaker.fail(channel.id, now, retryAfterMs(retryAfter, now))
        if (breaker.resting(channel.id, now)) kept.trouble(channel.id, 'rest', breaker.restingUntil(channel.id))
      }
      if (!verdict.channel && !verdict.retry) breaker.succeed(channel.id, now, 0)
      if (ctx.options().AutomaticDisableChannelEnabled && health.isDead(channel, fault)) {
        health
          .disable(channel, fault.message)
          .catch((cause) => ctx.log.error('channel could not be disabled', { channel: channel.id, cause }))
      }
    },
    isDead: (channel, fault) => consequencesOf(fault).disable && (channel.keys.length < 2 || keys.areDead(channel)),
    disable: (channel, reason) =>
      change(channel, {
        from: channelStatus.enabled,
        to: channelStatus.autoDisabled,
        kind: 'channel_disabled',
        title: `Channel ${channel.name} (#${channel.id}) has been disabled`,
        event: { code: 'channel.auto_disabled', values: { id: channel.id, name: channel.name, reason } },
      }),
    warn: ({ id, name }, slowness) =>
      notify({
        kind: 'channel_slow',
        title: `Channel ${name} (#${id}) is slow`,
        content: `Channel ${name} (#${id}): ${slowness}; it stays enabled`,
      }),
    async enable(channel) {
      const enabled = await change(channel, {
        from: channelStatus.autoDisabled,
        to: channelStatus.enabled,
        kind: 'channel_enabled',
        title: `Channel ${channel.name} (#${channel.id}) has been enabled`,
        event: { code: 'channel.auto_enabled', values: { id: channel.id, name: channel.name } },
      })
      if (enabled) breaker.forget(channel.id)
      return enabled
    },
  }
  return health
}
