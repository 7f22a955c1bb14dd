/** A folder, what it is for, and which others its files may import. All may import `shared`, those of the server `context.ts` too. */
interface Room {
  readonly says: string
  readonly may: readonly string[]
}

const room = (says: string, ...may: string[]): Room => ({ says, may })

/** Every folder of the server and the console. A new one gets its line here and in ARCHITECTURE.md. */
export const rooms: Readonly<Record<string, Room>> = {
  'server/lib': room('tools that know nothing of ours'),
  'server/db': room('Kysely on SQLite or PostgreSQL, tables, migrations', 'server/lib'),
  'server/dialects': room('wire formats in both directions, pure', 'server/lib'),
  'server/providers': room('one room a vendor, and the list', 'server/dialects', 'server/lib'),
  'server/billing': room(
    'prices, counting and the ledger; the only writer of balances',
    'server/db',
    'server/lib',
    'server/providers',
  ),
  'server/accounts': room(
    'opening, showing, closing and erasing accounts',
    'server/billing',
    'server/db',
    'server/history',
    'server/http',
    'server/lib',
  ),
  'server/mail': room('mails and messages to people', 'server/db', 'server/lib'),
  'server/http': room(
    'console dispatcher, sessions, rate limits, files; knows no product noun',
    'server/db',
    'server/lib',
    'server/process',
  ),
  'server/history': room(
    'every change by people with rights, and taking it back',
    'server/db',
    'server/http',
    'server/lib',
  ),
  'server/identity': room(
    'letting people in: sessions, second factors, external logins',
    'server/accounts',
    'server/db',
    'server/http',
    'server/lib',
    'server/mail',
  ),
  'server/resources': room(
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
  'server/config-file': room(
    'the configuration as a file: export, plan, apply',
    'server/db',
    'server/history',
    'server/http',
    'server/lib',
    'server/resources',
  ),
  'server/telemetry': room(
    'metrics and traces',
    'server/billing',
    'server/db',
    'server/jobs',
    'server/lib',
    'server/process',
    'server/relay',
  ),
  'server/relay': room(
    'the story of a relayed request',
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
  'server/jobs': room(
    'what a node does over and over',
    'server/accounts',
    'server/billing',
    'server/db',
    'server/history',
    'server/lib',
    'server/mail',
    'server/process',
  ),
  'server/nodes': room('what nodes say to each other', 'server/commands', 'server/db', 'server/lib', 'server/process'),
  'server/openapi': room('the description of the console API', 'server/http', 'server/lib'),
  'server/import': room(
    'moving in from other relays',
    'server/accounts',
    'server/billing',
    'server/db',
    'server/lib',
    'server/providers',
    'server/resources',
  ),
  'server/process': room(
    'one process from start to stop: configuration, secret key, context, supervisor',
    'server/accounts',
    'server/app.ts',
    'server/billing',
    'server/commands',
    'server/db',
    'server/http',
    'server/jobs',
    'server/lib',
    'server/nodes',
    'server/resources',
    'server/version.ts',
  ),
  'server/commands': room(
    'one file a command',
    'server/accounts',
    'server/billing',
    'server/config-file',
    'server/db',
    'server/history',
    'server/http',
    'server/import',
    'server/lib',
    'server/nodes',
    'server/process',
    'server/resources',
  ),
  'web/lib': room('tools of the console', 'web/locales', 'web/theme'),
  'web/locales': room('words, a folder a language'),
  'web/theme': room('colours and sizes'),
  'web/state': room('session, status, and every query with its key', 'web/lib'),
  'web/hooks': room('behaviour that components share', 'web/components', 'web/lib', 'web/state'),
  'web/components': room(
    'what pages are made of: table, form, overlay, page, content, identity, data',
    'web/hooks',
    'web/lib',
    'web/locales',
    'web/state',
    'web/theme',
  ),
  'web/features': room(
    'one folder a page',
    'web/components',
    'web/hooks',
    'web/lib',
    'web/locales',
    'web/state',
    'web/theme',
  ),
  'web/app': room(
    'the roof: router, table of pages, shell',
    'web/components',
    'web/features',
    'web/hooks',
    'web/lib',
    'web/locales',
    'web/state',
    'web/theme',
  ),
}

const filesMax = 20
const isCounted = (file: string): boolean =>
  !/\.test\.tsx?$|fixtures?\/|fixture\.ts$|^server\/testing\/|\/locales\/|\/migrations\//.test(file)

/** The room a file stands in; null for what stands at the top. */
export const roomOf = (file: string): string | null => {
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
export function checkRooms(files: readonly string[], architecture: string): string[] {
  const existing = new Set(
    files.map(roomOf).filter((found) => found !== null && found !== 'server/testing' && found !== 'web/public'),
  )
  const names = Object.keys(rooms)
  const shown = (name: string): boolean => architecture.includes(`  ${name.split('/')[1]}/`)
  return [
    ...[...existing]
      .filter((name) => !names.includes(name ?? ''))
      .map((name) => `${name} has no rule in scripts/check/rooms.ts`),
    ...names.filter((name) => !existing.has(name)).map((name) => `${name} has a rule and does not exist`),
    ...names.filter((name) => !shown(name)).map((name) => `${name} is missing in the folders of ARCHITECTURE.md`),
    ...[...foldersOf(files)]
      .filter(([, count]) => count > filesMax)
      .map(([folder, count]) => `${folder} has ${count} source files, more than ${filesMax}`),
  ]
}
