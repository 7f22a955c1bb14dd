import { z } from 'zod'
import { invalid } from './errors.ts'
import { fault } from './faults.ts'

/** Epoch seconds; -1 means never. */
export const Expiry = z
  .number(fault('expiry.not'))
  .int(fault('expiry.not'))
  .max(100_000_000_000, fault('expiry.not'))
  .refine((value) => value === -1 || value > 0, fault('expiry.not'))

/** The same for things whose 0 means never; -1 is taken for it. */
export const ExpiryOrNone = z
  .number(fault('expiry.not'))
  .int(fault('expiry.not'))
  .min(-1, fault('expiry.not'))
  .max(100_000_000_000, fault('expiry.not'))
  .transform((value) => Math.max(0, value))

export const isPast = (expiry: number, now: number): boolean => expiry > 0 && expiry <= now

/** What is over already would be worth nothing from the start. */
export function requireFuture(expiry: number | undefined, now: number): void {
  if (expiry !== undefined && isPast(expiry, now)) throw invalid('expiry.past', {}, 'expired_time')
}
