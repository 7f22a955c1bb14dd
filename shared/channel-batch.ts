import { z } from 'zod'
import { BatchIds, BatchStatus, batchChange } from './batch.ts'
import { Groups, Priority, Tags, Weight } from './channel-fields.ts'
import { distinctNames } from './comma-list.ts'
import { fault } from './faults.ts'

/** Models to add or remove that name none change nothing. */
const changesAny = ({
  add_models,
  remove_models,
  ...fields
}: {
  add_models?: string
  remove_models?: string
}): boolean => Object.keys(fields).length > 0 || distinctNames(`${add_models ?? ''},${remove_models ?? ''}`).length > 0

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
  }).refine(changesAny, fault('batch.empty')),
})
