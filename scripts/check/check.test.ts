import { describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReport } from './audit.ts'
import { filesOf, type Manifest, pageWeights } from './bundle-size.ts'
import { folderProblems } from './folders.ts'
import { checkImports, checkLengths } from './own-rules.ts'
import { readSources } from './sources.ts'

const problemsOf = (files: Record<string, string>) => checkImports(new Map(Object.entries(files)))

describe('imports', () => {
  test('looking where there are no modules fails', () => {
    expect(problemsOf({})).toEqual(['no modules were seen: the check looks in the wrong place'])
    expect(checkImports(readSources(mkdtempSync(join(tmpdir(), 'switchyard-')))).length).toBe(1)
  })

  test('the project itself is seen and keeps its rules', () => {
    const sources = readSources()
    expect(sources.size).toBeGreaterThan(100)
    expect(checkImports(sources)).toEqual([])
  })

  test('a cycle of imports is found, however long', () => {
    const problems = problemsOf({
      'scripts/a.ts': "import { b } from './b.ts'",
      'scripts/b.ts': "import { c } from '#scripts/c.ts'",
      'scripts/c.ts': `const a = await ${'import'}('./a.ts')`,
    })
    expect(problems).toEqual(['a cycle: scripts/a.ts → scripts/b.ts → scripts/c.ts → scripts/a.ts'])
  })

  test('a cycle of types is one too', () => {
    const problems = problemsOf({
      'scripts/a.ts': "import type { B } from './b.ts'",
      'scripts/b.ts': "import { a } from './a.ts'",
    })
    expect(problems).toEqual(['a cycle: scripts/a.ts → scripts/b.ts → scripts/a.ts'])
  })

  const forbidden: [from: string, to: string][] = [
    ['shared/quota.ts', 'server/config.ts'],
    ['server/lib/log.ts', 'shared/errors.ts'],
    ['server/dialects/x.ts', 'server/providers/x.ts'],
    ['server/providers/x.ts', 'server/db/tables.ts'],
    ['server/billing/price.ts', 'server/http/body.ts'],
    ['server/http/mount.ts', 'server/resources/users/users.store.ts'],
    ['server/resources/users/users.service.ts', 'server/resources/tokens/tokens.store.ts'],
    ['server/resources/users/users.service.ts', 'server/relay/relay.ts'],
    ['server/relay/relay.ts', 'server/resources/tokens/tokens.service.ts'],
    ['server/app.ts', 'web/main.tsx'],
    ['web/main.tsx', 'server/config.ts'],
    ['web/features/users/page.tsx', 'web/features/tokens/page.tsx'],
    ['web/components/table.tsx', 'web/features/tokens/page.tsx'],
    ['web/components/table.tsx', 'web/app/pages.tsx'],
    ['web/features/tokens/page.tsx', 'web/app/pages.tsx'],
    ['web/hooks/use-list.ts', 'web/app/pages.tsx'],
    ['web/lib/api.ts', 'web/state/session.tsx'],
    ['web/state/session.tsx', 'web/components/table.tsx'],
    ['web/theme/theme.ts', 'web/lib/api.ts'],
    ['web/locales/en.ts', 'web/lib/api.ts'],
    ['e2e/login.spec.ts', 'server/config.ts'],
  ]
  test.each(forbidden)('%s may not import %s', (from, to) => {
    expect(problemsOf({ [from]: `import { x } from '#${to}'`, [to]: '' })).toHaveLength(1)
  })

  const allowed: [from: string, to: string][] = [
    ['server/relay/relay.ts', 'server/resources/tokens/tokens.store.ts'],
    ['server/providers/x.ts', 'server/dialects/x.ts'],
    ['server/resources/users/users.service.ts', 'server/billing/book.ts'],
    ['web/features/users/page.tsx', 'shared/quota.ts'],
    ['server/lib/log.test.ts', 'server/testing/test-app.ts'],
  ]
  test.each(allowed)('%s may import %s', (from, to) => {
    expect(problemsOf({ [from]: `import {\n  x,\n} from '#${to}'`, [to]: '' })).toEqual([])
  })

  test('an import of a file that is not there is named', () => {
    expect(problemsOf({ 'scripts/a.ts': "export { b } from './b.ts'" })[0]).toContain(
      'scripts/b.ts, which is not there',
    )
  })

  test('shared takes no package but zod', () => {
    const problems = problemsOf({
      'shared/a.ts': "import { z } from 'zod'\nimport dayjs from 'dayjs'\nimport { b } from './b.ts'",
      'shared/b.ts': '',
    })
    expect(problems).toEqual(['shared/a.ts imports dayjs: shared imports zod alone'])
  })
})

test('a long file is named, a long table of data is not', () => {
  const long = '\n'.repeat(301)
  const problems = checkLengths(
    new Map([
      ['server/app.ts', long],
      ['server/providers/openai/prices.ts', long],
    ]),
  )
  expect(problems).toEqual(['server/app.ts has 301 lines, more than 300'])
})

test('a page weighs its own files and those of the entry, each once', () => {
  const manifest: Manifest = {
    'main.tsx': { file: 'main.js', isEntry: true, imports: ['_react.js'], css: ['main.css'] },
    '_react.js': { file: 'react.js' },
    'users-page.tsx': { file: 'users.js', isDynamicEntry: true, imports: ['_react.js', '_table.js'] },
    '_table.js': { file: 'table.js', css: ['table.css'] },
  }
  expect([...filesOf(manifest, 'users-page.tsx')]).toEqual(['users.js', 'react.js', 'table.js', 'table.css'])
  expect(pageWeights(manifest, () => 1)).toEqual([
    { page: 'main.tsx', bytes: 3 },
    { page: 'users-page.tsx', bytes: 6 },
  ])
})

test('an audit service that answers nonsense is not a finding', () => {
  expect(readReport('<html>')).toBeNull()
})

describe('folders', () => {
  const problems = (file: string) => folderProblems([file], '').filter((problem) => problem.includes('shiny'))

  test('one of the server without a rule is named', () => {
    expect(problems('server/shiny/a.ts')).toEqual(['server/shiny has no rule in scripts/check/folders.ts'])
  })

  test('one of the relay without a place in the order is named', () => {
    expect(problems('server/relay/shiny/a.ts')).toEqual([
      'server/relay/shiny has no place in relayFolders of scripts/check/folders.ts',
    ])
  })

  test('one of the relay that the architecture does not show is named', () => {
    expect(folderProblems([], '  request/ \n')).toContain('relay/routing is missing in the folders of ARCHITECTURE.md')
    expect(folderProblems([], '  request/ \n')).not.toContain(
      'relay/request is missing in the folders of ARCHITECTURE.md',
    )
  })
})
