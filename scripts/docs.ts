/** Draws the generated documents from the tables they describe. `--check` only says whether they are fresh. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decisionsPage } from './docs/decisions-page.ts'
import { configurationPage, errorsPage, exampleEnvironment, optionsPage } from './docs/pages.ts'
import { pricesPage } from './docs/prices-page.ts'
import { specCoverage } from './specification/coverage.ts'
import { specificationPage } from './specification/page.ts'

/** Every generated file. Adding one is one line. */
const generated: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationPage,
  'docs/decisions/README.md': decisionsPage,
  'docs/errors.md': errorsPage,
  'docs/options.md': optionsPage,
  'docs/prices.md': pricesPage,
  'docs/spec-coverage.md': specCoverage,
  'docs/specification.md': specificationPage,
  '.env.example': exampleEnvironment,
}

const root = join(import.meta.dirname, '..')
const stale: string[] = []
for (const [path, draw] of Object.entries(generated)) {
  const file = Bun.file(join(root, path))
  const text = draw()
  if ((await file.exists()) && (await file.text()) === text) continue
  stale.push(path)
  if (process.argv.includes('--check')) continue
  mkdirSync(dirname(join(root, path)), { recursive: true })
  await Bun.write(file, text)
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Not fresh: ${stale.join(', ')}. Run npm run docs.`)
  process.exit(1)
}
console.log(stale.length === 0 ? 'The generated documents are fresh.' : `Wrote ${stale.join(', ')}.`)
