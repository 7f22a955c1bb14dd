import { z } from 'zod'
import { fault } from './faults.ts'

/** What a list of channels is narrowed to; what is left out narrows nothing. */
export const ChannelFilter = z.object({
  type: z.coerce.number(fault('channel.type')).int(fault('channel.type')).optional(),
  status: z.coerce
    .number(fault('status.one_to_three'))
    .int(fault('status.one_to_three'))
    .min(1, fault('status.one_to_three'))
    .max(3, fault('status.one_to_three'))
    .optional(),
  group: z.string().trim().max(32).optional(),
  model: z.string().trim().max(200).optional(),
  tag: z.string().trim().max(200).optional(),
})
export type ChannelFilter = z.output<typeof ChannelFilter>
