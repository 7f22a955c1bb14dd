import { createHash } from 'node:crypto'

const longest = 64

/** Who asks, for the provider's statistics: longer names are refused, so they become a short one that stays the same. */
export const userLabel = (user: string | undefined): string | undefined =>
  user !== undefined && user.length > longest ? createHash('sha256').update(user).digest('hex') : user
