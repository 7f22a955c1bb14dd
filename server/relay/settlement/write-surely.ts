import { isRefusedWrite } from '#server/billing/ledger/group-commit.ts'
import { isDatabaseGone } from '#server/db/database-gone.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'

/** What is written, as words for the log: a request could not be *settled*. */
export interface Written {
  readonly of: string
  readonly done: string
  readonly facts: Readonly<Record<string, unknown>>
}

const againAfterMs = 1000
const againAtLeastEveryMs = 60_000

/** Writes now, or as soon as the database takes it; never throws. Given up only when the database refuses the write itself. */
export async function writeSurely(
  context: RelayContext,
  written: Written,
  write: () => Promise<unknown>,
  pauseMs = againAfterMs,
): Promise<void> {
  try {
    await write()
  } catch (cause) {
    const { log } = context.ctx
    const { of, done, facts } = written
    if (isRefusedWrite(cause)) return log.error(`${of} could not be ${done}`, { ...facts, cause })
    if (!isDatabaseGone(cause)) log.error(`${of} is not ${done} yet`, { ...facts, cause })
    writeLater(context, written, write, pauseMs)
  }
}

/** Retries a write that failed or whose result is unknown. Each failure doubles the pause. */
export function writeLater(
  context: RelayContext,
  written: Written,
  write: () => Promise<unknown>,
  pauseMs = againAfterMs,
): void {
  const longer = Math.min(pauseMs * 2, againAtLeastEveryMs)
  context.pendingSettlements.add(Bun.sleep(pauseMs).then(() => writeSurely(context, written, write, longer)))
}
