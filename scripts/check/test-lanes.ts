import { type Modules, readModules } from './modules.ts'

type Sources = ReadonlyMap<string, string>

const laneOf = (path: string): string | undefined => /\.([^/.]+)\.test\.tsx?$/.exec(path)?.[1]

const lanes: readonly (string | undefined)[] = [undefined, 'db', 'proc']

/** Code that only tests use; what a test imports from it, it does itself. */
const helpers = /^(server\/testing|bench|e2e\/support)\//

const startsOne = /\bBun\.spawn(Sync)?\(|from 'node:child_process'/
const opensOne = /\bopenDatabase\(/
const branches = /^import\b[^;'"]*\bonPostgres\b/m

/** A test with all the helpers it reaches. */
function withHelpers(file: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set([file])
  for (const from of reached) {
    for (const to of imports.get(from) ?? []) if (helpers.test(to)) reached.add(to)
  }
  return reached
}

function importsByFile({ imports }: Modules): ReadonlyMap<string, readonly string[]> {
  const byFile = Map.groupBy(imports, ({ from }) => from)
  return new Map([...byFile].map(([from, those]) => [from, those.map(({ to }) => to)]))
}

interface Needs {
  readonly processes: boolean
  readonly database: boolean
  readonly engines: boolean
}

function problemOf(path: string, { processes, database, engines }: Needs): string | undefined {
  const lane = laneOf(path)
  if (!lanes.includes(lane)) return `has the suffix .${lane}; there are .db.test.ts, .proc.test.ts and .test.ts`
  if (processes && lane !== 'proc') return 'starts processes: call it .proc.test.ts'
  if (!processes && lane === 'proc') return 'starts no process: call it .db.test.ts or .test.ts'
  if (engines && lane === undefined) return 'distinguishes the engines: call it .db.test.ts'
  if (!database && lane === 'db') return 'opens no database: call it .test.ts'
  return undefined
}

/** The suffix of a test says what runs it: see CONTRIBUTING.md. */
export function checkTestLanes(sources: Sources): string[] {
  const imports = importsByFile(readModules(sources))
  const tests = [...sources.keys()].filter((path) => /\.test\.tsx?$/.test(path))
  return tests.flatMap((path) => {
    const texts = [...withHelpers(path, imports)].map((file) => sources.get(file) ?? '')
    const some = (pattern: RegExp) => texts.some((text) => pattern.test(text))
    const problem = problemOf(path, {
      processes: some(startsOne),
      database: some(opensOne),
      engines: branches.test(sources.get(path) ?? ''),
    })
    return problem === undefined ? [] : [`${path} ${problem}`]
  })
}
