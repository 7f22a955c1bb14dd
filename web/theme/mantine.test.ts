import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Glob } from 'bun'

const web = resolve(import.meta.dir, '..')
const styles = resolve(web, '../node_modules/@mantine/core/styles')

/** Names imported from the component library anywhere in the console. */
async function componentsInUse(): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const file of new Glob('**/*.{ts,tsx}').scan(web)) {
    const source = await Bun.file(resolve(web, file)).text()
    for (const [, list = ''] of source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of list.split(',')) names.add(name.trim().replace(/^type /, ''))
  }
  return names
}

test('every component of the library that is used brings its styles', async () => {
  const listed = await Bun.file(resolve(import.meta.dir, 'mantine.ts')).text()
  const used = await componentsInUse()
  expect(used.size).toBeGreaterThan(10)
  const missing = [...used].filter(
    (name) => existsSync(resolve(styles, `${name}.layer.css`)) && !listed.includes(`/${name}.layer.css'`),
  )
  expect(missing).toEqual([])
})
