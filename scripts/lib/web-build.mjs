import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bunEnvironment, runBun } from './bun.mjs'
import { inRoot } from './paths.mjs'
import { fail } from './processes.mjs'

const sources = ['web', 'shared', 'vite.config.ts', 'tsconfig.json', 'package-lock.json']
const page = inRoot('dist', 'web', 'index.html')
const stamp = inRoot('dist', 'web.sources')

function* filesUnder(path) {
  if (!existsSync(path)) return
  if (!statSync(path).isDirectory()) {
    yield path
    return
  }
  for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name))
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesUnder(inRoot(source))) {
      if (!/\.test\.tsx?$/.test(file)) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

/** Builds the console unless it is there and came from the sources as they are. */
export async function ensureWebBuilt() {
  if (!existsSync(inRoot('vite.config.ts'))) return
  const wanted = hashOfSources()
  if (existsSync(page) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Building the console …')
  const code = await runBun(['--bun', 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    stdio: ['ignore', 2, 2],
    // Whoever asks for it, a test included: what is served is never a development build.
    env: { ...bunEnvironment(), NODE_ENV: 'production' },
  })
  if (code !== 0) fail('The console could not be built; see the messages above.')
  mkdirSync(inRoot('dist'), { recursive: true })
  writeFileSync(stamp, wanted)
}
