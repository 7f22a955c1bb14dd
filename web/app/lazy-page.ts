import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { lostCode } from '#web/lib/failures.ts'

const chunkTimeout = 120_000

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
