import { type ComponentType, lazy } from 'react'
import { reportFailure } from '#web/lib/failures.ts'

/** After this time postponed code is fetched even if the page is only read. */
const waitMs = 3_000
const presses = ['pointerdown', 'click', 'keydown', 'input'] as const
const signs = ['pointermove', 'wheel', ...presses] as const

/** Fulfilled with the next of these events. */
function nextOf(names: readonly (keyof WindowEventMap)[]): Promise<void> {
  return new Promise((resolve) => {
    const stop = new AbortController()
    const begin = () => {
      stop.abort()
      resolve()
    }
    for (const name of names) addEventListener(name, begin, { capture: true, passive: true, signal: stop.signal })
  })
}

let begun: Promise<void> | undefined

/** Resolves when the page is first used, or after `waitMs`. */
function firstUse(): Promise<void> {
  begun ??= Promise.race([nextOf(signs), new Promise<void>((resolve) => setTimeout(resolve, waitMs))])
  return begun
}

/** What cannot be had is asked for again with the next press: the page around it may hold half-typed work. */
async function insist<Value>(load: () => Promise<Value>): Promise<Value> {
  try {
    return await load()
  } catch (error) {
    reportFailure(error)
    await nextOf(presses)
    return insist(load)
  }
}

/** A component that only a hand needs: its code is no part of the page's first load. */
export const whenUsed = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    await firstUse()
    return { default: await insist(load) }
  })
