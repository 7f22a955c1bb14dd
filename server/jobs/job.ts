import type { Context } from '#server/context.ts'

/** Work a node does over and over. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  run(ctx: Context): Promise<void>
}
