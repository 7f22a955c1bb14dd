import { z } from 'zod'
import { BatchIds, BatchStatus, batchChange } from './batch.ts'
import { Groups, Priority, Tags, Weight } from './channel-fields.ts'

export const ChannelBatch = z.object({
  ids: BatchIds.optional(),
  /** Every channel with this tag. */
  tag: z.string().trim().min(1).max(50).optional(),
  change: batchChange({
    status: BatchStatus,
    priority: Priority,
    weight: Weight,
    tags: Tags,
    group: Groups,
    add_models: z.string().max(100_000),
    remove_models: z.string().max(100_000),
  }),
})
