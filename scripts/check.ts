/** What `npm run check` runs: everything that can be said about the code without running it. */
import { join } from 'node:path'
import { audit } from './check/audit.ts'
import { checkBundle } from './check/bundle-size.ts'
import { checkFolders, checkImports, checkLengths, checkLockfile } from './check/own-rules.ts'
import { checkSmoke } from './check/smoke.ts'
import { readDocuments, readSources, root } from './check/sources.ts'
import { checkTestLanes } from './check/test-lanes.ts'
import { checkTypeNames } from './check/type-names.ts'
import { checkWords } from './check/words.ts'
import { ensureWebBuilt } from './lib/web-build.mjs'

interface CheckResult {
  readonly problems: readonly string[]
  readonly note?: string
}

type Step = () => CheckResult | Promise<CheckResult>

/** A tool of ours from node_modules, by the script it is. */
const tool =
  (script: string, ...args: readonly string[]): Step =>
  async () => {
    const child = Bun.spawn([process.execPath, join(root, script), ...args], {
      cwd: root,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return { problems: (await child.exited) === 0 ? [] : [`${out}${err}`.trim()] }
  }

const sources = readSources()

/** Every check. Adding one is one line. */
const steps: Readonly<Record<string, Step>> = {
  'format and lint': tool('node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '--colors=off'),
  types: tool('node_modules/typescript/bin/tsc', '-p', '.'),
  imports: () => ({ problems: checkImports(sources), note: `${sources.size} modules` }),
  folders: () => ({ problems: checkFolders(sources) }),
  'file length': () => ({ problems: checkLengths(sources) }),
  'plain words': () => ({ problems: checkWords(new Map([...sources, ...readDocuments()])) }),
  'type names': () => ({ problems: checkTypeNames(sources) }),
  'test lanes': () => ({ problems: checkTestLanes(sources) }),
  'smoke journeys': () => ({ problems: checkSmoke(sources) }),
  'unused code': tool('node_modules/knip/bin/knip.js', '--no-progress'),
  'generated documents': tool('scripts/docs.ts', '--check'),
  lockfile: () => ({ problems: checkLockfile() }),
  audit,
  'bundle size': () => ensureWebBuilt().then(checkBundle),
}

async function take([name, step]: readonly [string, Step]): Promise<boolean> {
  const began = performance.now()
  const { problems, note = '' } = await Promise.resolve()
    .then(step)
    .catch((error: unknown): CheckResult => ({ problems: [String(error)] }))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${problems.length === 0 ? '✓' : '✗'} ${name.padEnd(20)} ${seconds.padStart(5)} s  ${note}`)
  for (const problem of problems) console.log(problem.replace(/^/gm, '    '))
  return problems.length === 0
}

const results = await Promise.all(Object.entries(steps).map(take))
process.exit(results.every(Boolean) ? 0 : 1)
