import type { Ask } from './ask.ts'
import type { Door } from './doors.ts'

/** A wish whose body nobody here reads for its money. */
export const plainAsk = (door: Door, model: string, more: Partial<Ask> = {}): Ask => ({
  entrance: { door },
  model,
  stream: false,
  payload: { kind: 'json', text: '', body: {} },
  answerLimit: null,
  n: 1,
  answers: 1,
  ...more,
})
