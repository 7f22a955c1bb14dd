import { describe, expect, test } from 'bun:test'
import { checkTestLanes } from './test-lanes.ts'

const spawned = `export const start = () => ${'Bun'}.spawn(['server'])`
const database = 'export const open = () => openDatabase(url)'

const helpers = {
  'server/testing/spawned-server.ts': spawned,
  'server/testing/running.ts': "import { start } from './spawned-server.ts'",
  'server/testing/test-database.ts': database,
  'server/db/backup.ts': spawned,
}

const importing = (...files: string[]) => files.map((file) => `import { thing } from '#${file}'`).join('\n')

const problemsOf = (path: string, text: string) => checkTestLanes(new Map(Object.entries({ ...helpers, [path]: text })))

describe('the suffix of a test', () => {
  test.each([
    ['server/x.test.ts', importing('server/x.ts')],
    ['server/x.test.ts', importing('server/testing/test-database.ts')],
    ['server/x.test.ts', importing('server/db/backup.ts')],
    ['server/x.db.test.ts', importing('server/testing/test-database.ts')],
    ['server/x.proc.test.ts', importing('server/testing/spawned-server.ts')],
    ['server/x.proc.test.ts', importing('server/testing/running.ts', 'server/testing/test-database.ts')],
    ['web/x.test.tsx', importing('web/x.tsx')],
  ])('%s is right where it does what it says: %s', (path, text) => {
    expect(problemsOf(path, text)).toEqual([])
  })

  test.each([
    ['server/x.test.ts', importing('server/testing/running.ts'), 'starts processes'],
    ['server/x.db.test.ts', importing('server/testing/spawned-server.ts'), 'starts processes'],
    ['server/x.test.ts', spawned, 'starts processes'],
    ['server/x.proc.test.ts', importing('server/testing/test-database.ts'), 'starts no process'],
    ['server/x.test.ts', "import { onPostgres } from '#server/testing/test-database.ts'", 'distinguishes the engines'],
    ['server/x.db.test.ts', importing('server/x.ts'), 'opens no database'],
    ['server/x.slow.test.ts', importing('server/x.ts'), 'has the suffix .slow'],
    ['web/x.slow.test.tsx', importing('web/x.tsx'), 'has the suffix .slow'],
  ])('%s is refused where it does not: %s', (path, text, problem) => {
    expect(problemsOf(path, text)).toEqual([expect.stringContaining(`${path} ${problem}`)])
  })
})
