import { z } from 'zod'
import { Groups, Priority, Tags, Weight } from './channel-fields.ts'
import { distinctNames } from './comma-list.ts'
import { Id } from './contract.ts'
import { fault } from './faults.ts'

const batchMax = 1000

/** Comma-separated ids in a query. */
export const IdList = z
  .string()
  .refine((text) => /^\s*[1-9]\d{0,14}(\s*,\s*[1-9]\d{0,14})*\s*$/.test(text), fault('batch.ids'))
  .transform((text) => distinctNames(text).map(Number))
  .refine((ids) => ids.length <= batchMax, fault('batch.max', { max: batchMax }))

export const ChannelBatch = z.object({
  ids: z
    .array(Id)
    .min(1, fault('batch.none'))
    .max(batchMax, fault('batch.max', { max: batchMax }))
    .optional(),
  /** Every channel with this tag. */
  tag: z.string().trim().min(1).max(50).optional(),
  change: z
    .strictObject({
      status: z.number().int().min(1, fault('status.one_or_two')).max(2, fault('status.one_or_two')),
      priority: Priority,
      weight: Weight,
      tags: Tags,
      group: Groups,
      add_models: z.string().max(100_000),
      remove_models: z.string().max(100_000),
    })
    .partial()
    .refine((change) => Object.keys(change).length > 0, fault('batch.empty')),
})
