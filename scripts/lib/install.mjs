import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { inRoot } from './paths.mjs'
import { fail, npm } from './processes.mjs'

const packagesOf = (file) => {
  const { '': _self, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages
  return packages
}

/** Whether node_modules holds what the lockfile says; npm writes its own account of it when it has finished. */
function isInstalled() {
  const account = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(account)) return false
  const wanted = packagesOf(inRoot('package-lock.json'))
  const present = packagesOf(account)
  return (
    Object.entries(wanted).every(([path, { optional, version }]) =>
      present[path] ? present[path].version === version : Boolean(optional),
    ) && Object.keys(present).every((path) => path in wanted)
  )
}

const isLinked = () => lstatSync(inRoot('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false

/** Installs exactly what the lockfile says unless that has been done. A linked node_modules is its owner's business. */
export async function ensureInstalled() {
  if (isLinked() || isInstalled()) return
  console.error('Installing the packages of package-lock.json …')
  const code = await npm(['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
  })
  if (code !== 0) fail('The packages could not be installed; see the messages of npm above.')
}
