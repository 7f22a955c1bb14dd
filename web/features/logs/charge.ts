import { z } from 'zod'
import type { en } from '#web/locales/en.ts'

type TokenClass = keyof typeof en.logs.classes

const tokenClasses = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWriteLong',
  'audioInput',
  'audioOutput',
  'imageInput',
  'imageOutput',
  'reasoning',
] as const satisfies readonly TokenClass[]

const ByTokens = z.object({
  by: z.literal('tokens'),
  model: z.string(),
  modelRatio: z.number(),
  groupRatio: z.number(),
  above: z.number().optional(),
  parts: z.array(z.object({ of: z.enum(tokenClasses), tokens: z.number(), ratio: z.number() })),
})

const ByPiece = z.object({
  by: z.enum(['pictures', 'characters', 'seconds']),
  model: z.string(),
  groupRatio: z.number(),
  count: z.number(),
  each: z.number(),
})

const Charge = z.union([ByTokens, ByPiece])
export type Charge = z.output<typeof Charge>

/** How a row's charge came about; `null` when the row does not say. It may stand at the top or under `charge`. */
export function chargeOf(detail: Record<string, unknown>): Charge | null {
  for (const place of [detail, detail.charge, detail.explanation]) {
    const found = Charge.safeParse(place)
    if (found.success) return found.data
  }
  return null
}
