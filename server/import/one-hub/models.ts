import { distinctNames } from '#shared/comma-list.ts'

/** Its lists of models may hold patterns, which have no place here. */
export const namesWithoutPatterns = (models: string): string[] =>
  distinctNames(models).filter((model) => !model.endsWith('*'))
