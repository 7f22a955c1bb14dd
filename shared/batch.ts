import { z } from 'zod'
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

export const BatchIds = z
  .array(Id)
  .min(1, fault('batch.none'))
  .max(batchMax, fault('batch.max', { max: batchMax }))
  .transform((ids) => [...new Set(ids)])

export const BatchStatus = z.number().int().min(1, fault('status.one_or_two')).max(2, fault('status.one_or_two'))

/** What a batch changes: any of the fields, but at least one. */
export const batchChange = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine((change) => Object.keys(change).length > 0, fault('batch.empty'))
