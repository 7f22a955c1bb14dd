/** A folder, what it is for, and which others its files may import. All may import `shared`, those of the server `context.ts` too. */
interface FolderRule {
  readonly purpose: string
  readonly imports: readonly string[]
}

const folder = (says: string, ...may: string[]): FolderRule => ({ purpose: says, imports: may })

/** Every folder of the server and the console. A new one gets its line here and in ARCHITECTURE.md. */
export const folders: Readonly<Record<string, FolderRule>> = {
  'server/lib': folder('tools that know nothing of ours'),
  'server/db': folder('Kysely on SQLite or PostgreSQL, tables, migrations', 'server/lib'),
  'server/dialects': folder('wire formats in both directions, pure', 'server/lib'),
  'server/providers': folder('one folder a vendor, and the list', 'server/dialects', 'server/lib'),
  'server/billing': folder(
    'prices, counting and the ledger; the only writer of balances',
    'server/db',
    'server/lib',
    'server/providers',
  ),
  'server/accounts': folder(
    'opening, showing, closing and erasing accounts',
    'server/billing',
    'server/db',
    'server/history',
    'server/http',
    'server/lib',
  ),
  'server/mail': folder('mails and messages to people', 'server/db', 'server/lib'),
  'server/http': folder(
    'console dispatcher, sessions, rate limits, files; knows no product noun',
    'server/db',
    'server/lib',
    'server/process',
  ),
  'server/history': folder(
    'every change by people with rights, and taking it back',
    'server/db',
    'server/http',
    'server/lib',
  ),
  'server/identity': folder(
    'letting people in: sessions, second factors, external logins',
    'server/accounts',
    'server/db',
    'server/http',
    'server/lib',
    'server/mail',
  ),
  'server/resources': folder(
    'console resources: store, service, routes',
    'server/accounts',
    'server/billing',
    'server/db',
    'server/history',
    'server/http',
    'server/identity',
    'server/lib',
    'server/mail',
    'server/providers',
  ),
  'server/config-file': folder(
    'the configuration as a file: export, plan, apply',
    'server/db',
    'server/history',
    'server/http',
    'server/lib',
    'server/resources',
  ),
  'server/telemetry': folder(
    'metrics and traces',
    'server/billing',
    'server/db',
    'server/jobs',
    'server/lib',
    'server/process',
    'server/relay',
  ),
  'server/relay': folder(
    'a relayed request, a folder for each step',
    'server/billing',
    'server/db',
    'server/dialects',
    'server/history',
    'server/http',
    'server/jobs',
    'server/lib',
    'server/mail',
    'server/providers',
    'server/resources',
    'server/telemetry',
  ),
  'server/jobs': folder(
    'what a node does over and over',
    'server/accounts',
    'server/billing',
    'server/db',
    'server/history',
    'server/lib',
    'server/mail',
    'server/process',
  ),
  'server/nodes': folder('what nodes send each other', 'server/db', 'server/lib', 'server/process'),
  'server/openapi': folder('the description of the console API', 'server/http', 'server/lib'),
  'server/import': folder(
    'moving in from other relays',
    'server/accounts',
    'server/billing',
    'server/db',
    'server/lib',
    'server/providers',
    'server/resources',
  ),
  'server/process': folder(
    'one process from start to stop: configuration, secret key, context, supervisor',
    'server/accounts',
    'server/app.ts',
    'server/billing',
    'server/db',
    'server/http',
    'server/jobs',
    'server/lib',
    'server/nodes',
    'server/resources',
    'server/version.ts',
  ),
  'server/commands': folder(
    'one file a command',
    'server/accounts',
    'server/billing',
    'server/config-file',
    'server/db',
    'server/history',
    'server/http',
    'server/import',
    'server/lib',
    'server/mail',
    'server/nodes',
    'server/process',
    'server/resources',
  ),
  'web/lib': folder('tools of the console', 'web/locales', 'web/theme'),
  'web/locales': folder('words, a folder a language'),
  'web/theme': folder('colours and sizes'),
  'web/state': folder('session, status, and every query with its key', 'web/lib'),
  'web/hooks': folder('behaviour that components share', 'web/components', 'web/lib', 'web/state'),
  'web/components': folder(
    'what pages are made of: table, form, overlay, page, content, identity, data',
    'web/hooks',
    'web/lib',
    'web/locales',
    'web/state',
    'web/theme',
  ),
  'web/features': folder(
    'one folder a page',
    'web/components',
    'web/hooks',
    'web/lib',
    'web/locales',
    'web/state',
    'web/theme',
  ),
  'web/app': folder(
    'router, table of pages, shell; imported by nobody',
    'web/components',
    'web/features',
    'web/hooks',
    'web/lib',
    'web/locales',
    'web/state',
    'web/theme',
  ),
}

/** The folders of the relay, along the way of a request: each may import those before it. */
export const relayFolders: readonly string[] = [
  'request',
  'metering',
  'limits',
  'routing',
  'upstream',
  'answer',
  'settlement',
  'state',
  'attempts',
  'delivery',
  'observers',
  'lookups',
  'routing-console',
  'stored',
  'long-work',
  'files',
  'batches',
  'videos',
  'passage',
  'realtime',
  'channel-tests',
]

export const relayFolderOf = (file: string): string | null => /^server\/relay\/([\w-]+)\//.exec(file)?.[1] ?? null

const filesMax = 20
const isCounted = (file: string): boolean =>
  !/\.test\.tsx?$|fixtures?\/|fixture\.ts$|^server\/testing\/|\/locales\/|\/migrations\//.test(file)

/** The folder whose rule a file obeys; null for files at the top. */
export const folderOf = (file: string): string | null => {
  const [side, name] = file.split('/')
  return (side === 'server' || side === 'web') && file.split('/').length > 2 ? `${side}/${name}` : null
}

const foldersOf = (files: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const file of files) {
    if (!/^(server|web)\//.test(file) || !isCounted(file)) continue
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return counts
}

/** Folders without a rule, rules without a folder, folders the architecture does not show, folders with too much in them. */
export function folderProblems(files: readonly string[], architecture: string): string[] {
  const existing = new Set(
    files.map(folderOf).filter((found) => found !== null && found !== 'server/testing' && found !== 'web/public'),
  )
  const names = Object.keys(folders)
  const shown = (name: string): boolean => architecture.includes(`  ${name.split('/')[1]}/`)
  const inRelay = new Set(
    files
      .filter(isCounted)
      .map(relayFolderOf)
      .filter((found) => found !== null),
  )
  return [
    ...[...existing]
      .filter((name) => !names.includes(name ?? ''))
      .map((name) => `${name} has no rule in scripts/check/folders.ts`),
    ...names.filter((name) => !existing.has(name)).map((name) => `${name} has a rule and does not exist`),
    ...[...inRelay]
      .filter((name) => !relayFolders.includes(name))
      .map((name) => `server/relay/${name} has no place in relayFolders of scripts/check/folders.ts`),
    ...[...names, ...relayFolders.map((name) => `relay/${name}`)]
      .filter((name) => !shown(name))
      .map((name) => `${name} is missing in the folders of ARCHITECTURE.md`),
    ...[...foldersOf(files)]
      .filter(([, count]) => count > filesMax)
      .map(([folder, count]) => `${folder} has ${count} source files, more than ${filesMax}`),
  ]
}
