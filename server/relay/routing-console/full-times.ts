import type { Stretch } from './busy-times.ts'

/** When a channel would be at its limit. */
export interface FullTimes {
  /** Expected minutes at the limit, over the whole time. */
  readonly minutes: number
  /** The run of stretches with the most of them, and how many. */
  readonly worst: Stretch & { readonly minutes: number }
}

/** From this mean on the normal distribution is close enough. */
const manyRequests = 100

/**
 * The share of minutes with so many requests or more, when `mean` of them come a minute on average and independently of each
 * other (Poisson).
 */
export function shareOfMinutes(mean: number, atLeast: number): number {
  if (mean <= 0) return 0
  if (mean > manyRequests) return 1 / (1 + Math.exp((1.702 * (atLeast - 0.5 - mean)) / Math.sqrt(mean)))
  let term = Math.exp(-mean)
  let fewer = 0
  for (let count = 0; count < atLeast && count < 10 * manyRequests; count += 1) {
    fewer += term
    term *= mean / (count + 1)
  }
  return Math.min(1, Math.max(0, 1 - fewer))
}

/** A stretch with a smaller share of full minutes ends the run. */
const inRun = 0.05

const noRun = { from: 0, to: 0, minutes: 0 }

/** Null when it would hardly ever be full. */
export function fullTimes(
  requests: ReadonlyMap<number, number>,
  stretches: readonly Stretch[],
  rpm: number,
): FullTimes | null {
  if (rpm === 0) return null
  let minutes = 0
  let run = noRun
  let worst = noRun
  for (const [at, { from, to }] of stretches.entries()) {
    const length = (to - from) / 60
    const full = length * shareOfMinutes((requests.get(at) ?? 0) / Math.max(1, length), rpm)
    minutes += full
    const goesOn = full >= length * inRun
    run = goesOn ? { from: run.minutes > 0 ? run.from : from, to, minutes: run.minutes + full } : noRun
    if (run.minutes > worst.minutes) worst = run
  }
  if (Math.round(minutes) === 0 || worst.minutes === 0) return null
  return { minutes: Math.round(minutes), worst: { ...worst, minutes: Math.round(worst.minutes) } }
}
