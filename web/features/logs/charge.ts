import { z } from 'zod'
import { StoredEvent } from '#shared/log-events.ts'
import { tokenClasses } from '#shared/token-classes.ts'

const Charge = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('tokens'),
    model: z.string(),
    modelRatio: z.number(),
    groupRatio: z.number(),
    above: z.number().optional(),
    parts: z.array(z.object({ of: z.enum(tokenClasses), tokens: z.number(), ratio: z.number() })),
  }),
  z.object({
    by: z.enum(['pictures', 'characters', 'seconds', 'requests']),
    model: z.string(),
    groupRatio: z.number(),
    count: z.number(),
    each: z.number(),
  }),
])
export type Charge = z.output<typeof Charge>

/** What a row's detail may say. What cannot be read is left out, not refused. */
const Detail = z.object({
  charge: Charge.optional().catch(undefined),
  /** The tokens were counted here: nobody reported them. */
  counted: z.boolean().optional().catch(undefined),
  /** The name the provider was asked for. */
  mapped: z.string().optional().catch(undefined),
  /** What was done, on rows that are no requests. */
  event: StoredEvent.optional().catch(undefined),
  fault: z.object({ status: z.number(), code: z.string() }).optional().catch(undefined),
})

export const detailOf = (detail: Record<string, unknown>): z.output<typeof Detail> => Detail.parse(detail)
