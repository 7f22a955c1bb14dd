import { existsSync, readdirSync } from 'node:fs'
import { inRoot } from '../lib/paths.mjs'

const folders = ['shared', 'server', 'web', 'scripts', 'bench', 'e2e']

const below = (folder) =>
  existsSync(inRoot(folder))
    ? readdirSync(inRoot(folder), { recursive: true }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    : []

/** By its suffix; undefined for what is no test. */
export const laneOf = (path) => {
  if (path.startsWith('e2e/')) return path.endsWith('.spec.ts') ? 'e2e' : undefined
  const [, lane = 'unit'] = /(?:\.(\w+))?\.test\.tsx?$/.exec(path) ?? [undefined, null]
  return lane ?? undefined
}

/** Every test of the project with the lane its suffix names. */
export const findTests = () =>
  folders
    .flatMap(below)
    .sort()
    .map((path) => ({ path, lane: laneOf(path) }))
    .filter(({ lane }) => lane !== undefined)
