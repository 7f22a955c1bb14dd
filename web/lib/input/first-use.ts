import { type ComponentType, lazy } from 'react'

/** By then what was put off is fetched even for somebody who only reads. */
const patienceMs = 10_000
const signs = ['pointermove', 'pointerdown', 'click', 'keydown', 'input', 'wheel'] as const

let begun: Promise<void> | undefined

/** Fulfilled once somebody begins to use the page. */
function firstUse(): Promise<void> {
  begun ??= new Promise((resolve) => {
    const stop = new AbortController()
    const begin = () => {
      stop.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(begin, patienceMs)
    for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true, signal: stop.signal })
  })
  return begun
}

/** A component that only a hand needs: its code is no part of the page's first load. */
export const whenUsed = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    await firstUse()
    return { default: await load() }
  })
