import type { FirstSteps } from '#shared/api/status.ts'

export const stepNames = ['password', 'channel', 'tested', 'token', 'request'] as const
export type StepName = (typeof stepNames)[number]

const fields = {
  password: 'password_changed',
  channel: 'channel_added',
  tested: 'channel_tested',
  token: 'token_created',
  request: 'request_answered',
} as const

export const isDone = (steps: FirstSteps, name: StepName): boolean => steps[fields[name]]

/** The first that is not done; after a step was finished, the next one below it. */
export function currentStep(steps: FirstSteps, finished: StepName | null): StepName {
  const open = stepNames.filter((name) => !isDone(steps, name))
  const below = finished && open.find((name) => stepNames.indexOf(name) > stepNames.indexOf(finished))
  return below ?? open[0] ?? 'request'
}
