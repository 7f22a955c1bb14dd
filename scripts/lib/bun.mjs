import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runtimeSettings } from '../../server/process/runtime-settings.mjs'
import { fail, run } from './processes.mjs'

const systems = { win32: 'windows' }
const processors = { arm64: 'aarch64' }

function usesMusl() {
  if (process.platform !== 'linux') return false
  return process.report.getReport().header.glibcVersionRuntime === undefined
}

/**
 * The runtime's own binary. Its npm package would move it in an install script; those do not run here, but where this package is
 * installed from elsewhere they may.
 */
export function bunBinary() {
  const system = systems[process.platform] ?? process.platform
  const name = `bun-${system}-${processors[process.arch] ?? process.arch}${usesMusl() ? '-musl' : ''}`
  const binary = find(`@oven/${name}/bin/${system === 'windows' ? 'bun.exe' : 'bun'}`) ?? findMoved()
  return binary ?? fail(`There is no Bun for this machine in node_modules (looked for @oven/${name}).`)
}

/** Beside us in our own folder, further up where we are somebody's dependency, or below the package that asked for it. */
function find(file) {
  const here = createRequire(import.meta.url)
  for (const lookup of [() => here, () => createRequire(here.resolve('bun/package.json'))]) {
    try {
      return lookup().resolve(file)
    } catch {}
  }
  return undefined
}

/** Where the install script puts it, on every system under this name. Before, a few words of text lie there. */
function findMoved() {
  const file = find('bun/bin/bun.exe')
  return file !== undefined && statSync(file).size > 1_000_000 ? file : undefined
}

export const bunEnvironment = () => ({ ...runtimeSettings, ...process.env })

/**
 * For tests and tools, and for all they start: the `.env` of an operator beside package.json is the server's. A test that takes
 * its DATABASE_URL for its own would write into the real database.
 */
export const toolEnvironment = () => ({ ...bunEnvironment(), BUN_OPTIONS: '--no-env-file' })

export const runBun = (args, options = {}) => run(bunBinary(), args, { env: bunEnvironment(), ...options })
