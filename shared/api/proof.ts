import { z } from 'zod'

/** What shows that the owner of an account asks, and not somebody with his session alone: one of the two. */
export const OwnerProof = z.object({
  password: z.string().max(200).optional(),
  /** A code of the authenticator app, or a recovery code. */
  second_factor: z.string().trim().max(100).optional(),
})
export type OwnerProof = z.output<typeof OwnerProof>
