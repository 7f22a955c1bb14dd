import type { Context } from '#server/context.ts'

/** Work a node does over and over. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Done by one node for all that share a database. */
  readonly leader?: true
  run(ctx: Context): Promise<void>
}
