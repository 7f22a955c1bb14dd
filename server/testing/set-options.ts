import { writeOption } from '#server/db/stored-options.ts'
import { transact } from '#server/db/transact.ts'
import type { OptionKey } from '#shared/options.ts'
import type { TestApp } from './test-app.ts'

/** Sets options as they would be stored; the node works with them when this resolves. */
export async function setOptions({ ctx }: TestApp, values: Partial<Record<OptionKey, string>>): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const [key, value] of Object.entries(values)) await writeOption(tx, ctx.secrets, key as OptionKey, value)
  })
  await ctx.refreshOptions()
}
