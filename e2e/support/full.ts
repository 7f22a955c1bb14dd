/** Whether everything is tried in every way, as `.ci/run` does; `npm test` tries each thing once. */
export const isFull = process.env.PROPERTY_RUNS === 'full'
