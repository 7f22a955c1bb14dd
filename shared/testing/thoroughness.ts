const { PROPERTY_RUNS } = process.env
if (PROPERTY_RUNS && PROPERTY_RUNS !== 'full') throw new Error('PROPERTY_RUNS is either "full" or left out')

/** Whether everything is tried: every row of each table, every run of each property. */
export const isThorough = PROPERTY_RUNS === 'full'

const quickRuns = 50

/** How often a property is tried: `full` times in the full matrix, at most fifty otherwise. */
export const runs = (full: number): { numRuns: number } => ({ numRuns: isThorough ? full : Math.min(full, quickRuns) })
