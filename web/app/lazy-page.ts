import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const chunkTimeout = 120_000

const lost = new WeakSet<object>()

function lostCode<Failure extends Error>(error: Failure): Failure {
  lost.add(error)
  return error
}

window.addEventListener('vite:preloadError', ({ payload }) => lostCode(payload))

/** Whether an error says that code of the console could not be had. */
export const isLostCode = (error: unknown): boolean => error instanceof Error && lost.has(error)

function withinTimeout<Module>(loading: Promise<Module>): Promise<Module> {
  const { promise, resolve, reject } = Promise.withResolvers<Module>()
  const timer = setTimeout(() => reject(lostCode(new Error('Loading the page took too long'))), chunkTimeout)
  loading.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}

/** A component whose code is fetched when it is first drawn. `pick` names it in its module. */
export const lazyPage = <Module>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType,
): LazyExoticComponent<ComponentType> => lazy(async () => ({ default: pick(await withinTimeout(load())) }))
