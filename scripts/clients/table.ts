import type { Check, Client } from './clients.ts'
import { checks } from './clients.ts'
import type { Kind } from './upstream.ts'

export interface Cell {
  readonly ok: boolean
  readonly said: string
}

const file = new URL('../../docs/clients.md', import.meta.url)
const marks = ['<!-- results -->', '<!-- end of results -->'] as const
const words: Record<Check, string> = { tools: 'tools', image: 'picture', pdf: 'PDF', resume: 'resume' }
const kinds: Readonly<Record<Kind, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  'chat-only': 'chat only',
}

/** One sign where all channels agree, otherwise a sign for each. */
function cellText(client: Client, check: Check, known: Known[string] | undefined): string {
  if (client.lacks?.[check] !== undefined) return '–'
  const signs = (Object.keys(kinds) as Kind[]).map((kind) => {
    const cell = known?.[kind]?.[check]
    return { kind, sign: cell ? (cell.ok ? '✓' : '✗') : '?' }
  })
  const [first] = signs
  return first && signs.every(({ sign }) => sign === first.sign)
    ? first.sign
    : signs.map(({ kind, sign }) => `${kinds[kind]} ${sign}`).join(', ')
}

/** Why clients cannot make some checks, one line a reason. */
function reasonLines(clients: readonly Client[]): string[] {
  const found = clients.flatMap(({ name, lacks = {} }) =>
    [...Map.groupBy(Object.entries(lacks), ([, why]) => why)].map(([why, lacking]) => {
      const lacked = lacking.map(([check]) => words[check as Check]).join(' and ')
      return { why, who: `${name} (${lacked})` }
    }),
  )
  return [...Map.groupBy(found, ({ why }) => why)].map(
    ([why, those]) => `- ${why}: ${those.map(({ who }) => who).join('; ')}.`,
  )
}

type Cells = Readonly<Partial<Record<Check, Cell>>>
type Known = Record<string, Partial<Record<Kind, Cells>>>

/** What this run saw over what earlier ones did: some clients can be run alone. */
async function remembered(results: Results, path: string): Promise<Known> {
  const before = Bun.file(path)
  const known: Known = (await before.exists()) ? await before.json() : {}
  for (const [name, kinds] of results) {
    known[name] = {
      ...known[name],
      ...Object.fromEntries([...kinds].map(([kind, cells]) => [kind, Object.fromEntries(cells)])),
    }
  }
  await Bun.write(path, JSON.stringify(known))
  return known
}

type Results = ReadonlyMap<string, ReadonlyMap<Kind, ReadonlyMap<Check, Cell>>>

/** Puts what was seen into the page, between its two marks. */
export async function writeTable(clients: readonly Client[], results: Results, path: string): Promise<void> {
  const known = await remembered(results, path)
  const rows = clients.map(
    (client) =>
      `| ${client.name} | ${checks.map((check) => cellText(client, check, known[client.name])).join(' | ')} |`,
  )
  const head = `| client | ${checks.map((check) => words[check]).join(' | ')} |\n|---|${'---|'.repeat(checks.length)}`
  const legend = '✓: on all four kinds of channels. ?: not run yet. –: the client has no way to:'
  const table = `${marks[0]}\n\n${head}\n${rows.join('\n')}\n\n${legend}\n\n${reasonLines(clients).join('\n')}\n\n${marks[1]}`
  const page = await Bun.file(file).text()
  const [before = '', rest = ''] = page.split(marks[0])
  await Bun.write(file, before + table + (rest.split(marks[1])[1] ?? ''))
}
