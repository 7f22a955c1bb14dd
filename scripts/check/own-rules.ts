import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCycle } from './cycles.ts'
import { folderProblems } from './folders.ts'
import { brokenRules } from './import-rules.ts'
import { readModules } from './modules.ts'
import { root } from './sources.ts'

type Sources = ReadonlyMap<string, string>

export function checkImports(sources: Sources): string[] {
  const modules = readModules(sources)
  if (modules.files.length === 0 || modules.imports.length === 0) {
    return ['no modules were seen: the check looks in the wrong place']
  }
  const missing = modules.imports
    .filter(({ to }) => /\.(ts|tsx|mjs)$/.test(to) && !sources.has(to))
    .map(({ from, to }) => `${from} imports ${to}, which is not there`)
  const cycle = findCycle(modules)
  return [...brokenRules(modules), ...missing, ...(cycle ? [`a cycle: ${cycle.join(' → ')}`] : [])]
}

/** Folders: each with its rule, its place in the architecture, and not too much in it. */
export const checkFolders = (sources: Sources): string[] =>
  folderProblems([...sources.keys()], readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))

const linesMax = 300
/** Tables of data may be long. */
const tables =
  /^(shared\/channel-models\.ts|shared\/channel-types\.ts|shared\/options\.ts|web\/app\/pages\.tsx|server\/db\/tables\.ts|server\/providers\/[\w-]+\/prices\.ts|web\/locales\/)|(fixtures|recordings)\//

export const checkLengths = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => {
    const lines = text.split('\n').length - 1
    return lines > linesMax && !tables.test(path) ? [`${path} has ${lines} lines, more than ${linesMax}`] : []
  })

/** A lockfile that names no host installs from whichever registry a machine is set up for. */
export function checkLockfile(): string[] {
  const file = join(root, 'package-lock.json')
  if (!existsSync(file)) return ['package-lock.json is missing']
  const text = readFileSync(file, 'utf8')
  const resolved = [...text.matchAll(/"resolved": *"([^"]+)"/g)]
  return resolved.length === 0 ? [] : [`package-lock.json names ${resolved.length} places to fetch from; remove them`]
}
