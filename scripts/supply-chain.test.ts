import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const Versions = z.record(z.string(), z.string()).default({})
const { dependencies, devDependencies, allowScripts } = z
  .object({ dependencies: Versions, devDependencies: Versions, allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(read('package.json')))
const Locked = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  inBundle: z.boolean().optional(),
})
const { packages } = z.object({ packages: z.record(z.string(), Locked) }).parse(JSON.parse(read('package-lock.json')))
const installed = Object.entries(packages).filter(([path]) => path !== '')

describe('packages', () => {
  test('are few', () => {
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(12)
  })

  test('are pinned, and locked as pinned', () => {
    const wanted = { ...dependencies, ...devDependencies }
    const loose = Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    expect(loose).toEqual([])
    const locked = Object.keys(wanted).map((name) => [name, packages[`node_modules/${name}`]?.version])
    expect(Object.fromEntries(locked)).toEqual(wanted)
  })

  test('are locked by what they contain, whichever registry they come from', () => {
    const unlocked = installed.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'))
    expect(unlocked.map(([path]) => path)).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })

  test('run nothing when they are installed', () => {
    expect(read('.npmrc')).toContain('ignore-scripts=true')
    expect(Object.values(allowScripts)).not.toContain(true)
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
    const unnamed = withScript.filter(([path]) => !Object.hasOwn(allowScripts, path.replace(/^.*node_modules\//, '')))
    expect(unnamed.map(([path]) => path)).toEqual([])
  })
})
