import type { Ledger } from '#server/billing/ledger/ledger.ts'
import type { AnyDatabase } from '#server/db/database.ts'
import type { ReportGone } from '#server/db/database-gone.ts'
import type { WriteProbe } from '#server/db/write-probe.ts'
import type { ChangeFeed } from '#server/lib/changes.ts'
import type { Logger } from '#server/lib/log.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import type { SharedClock } from '#server/lib/time/shared-clock.ts'
import type { Config } from '#server/process/config.ts'
import type { OptionValues } from '#shared/options.ts'

/** Everything a running node is made of. Functions name the part they need: `Pick<Context, 'database' | 'clock'>`. */
export interface Context {
  readonly config: Config
  readonly version: string
  readonly nodeId: string
  readonly startedAt: number
  readonly database: AnyDatabase
  /** Whether the database can be written to. */
  readonly writes: WriteProbe
  readonly secrets: SecretBox
  readonly changes: ChangeFeed
  readonly ledger: Ledger
  readonly log: Logger
  /** For requests that met a database that cannot be used. */
  readonly reportGone: ReportGone
  /** The options as they are now; from memory, refreshed the moment one changes. */
  readonly options: () => OptionValues
  /** Resolves when the options in memory are at least as new as those stored now. */
  readonly refreshOptions: () => Promise<void>
  /** Milliseconds since the epoch; on PostgreSQL by the clock of the database, which all nodes share. */
  readonly clock: () => number
  /** Corrects the clock by a reading of the database's. */
  readonly followClock: SharedClock['follow']
  readonly fetch: typeof fetch
}

export const epochSeconds = (ctx: Pick<Context, 'clock'>): number => Math.floor(ctx.clock() / 1000)
