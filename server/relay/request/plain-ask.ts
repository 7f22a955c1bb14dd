import type { Ask } from './ask.ts'
import type { Door } from './doors.ts'

/** An ask whose body does not matter for its price. */
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
