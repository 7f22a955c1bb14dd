import { useSyncExternalStore } from 'react'
import { readStored, store } from '#web/lib/storage.ts'

/** Whether the way to the first answer is shown: until it has been given, never again, or because somebody asked for it. */
export type FirstStepsView = 'until-done' | 'hidden' | 'asked'

const listeners = new Set<() => void>()
let asked = false

const view = (): FirstStepsView => {
  if (asked) return 'asked'
  return readStored('first_steps_hidden') ? 'hidden' : 'until-done'
}

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

function become(isAsked: boolean): void {
  asked = isAsked
  store('first_steps_hidden', !isAsked)
  for (const changed of listeners) changed()
}

export const hideFirstSteps = (): void => become(false)
export const showFirstSteps = (): void => become(true)

export const useFirstStepsView = (): FirstStepsView => useSyncExternalStore(subscribe, view)
