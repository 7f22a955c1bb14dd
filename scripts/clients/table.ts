import type { Check, Client } from './clients.ts'
import { checks } from './clients.ts'
import type { Kind } from './upstream.ts'

interface Cell {
  readonly ok: boolean
  readonly said: string
}

const file = new URL('../../docs/clients.md', import.meta.url)
const marks = ['<!-- results -->', '<!-- end of results -->'] as const
const words: Record<Check, string> = { tools: 'tools', image: 'picture', pdf: 'PDF', resume: 'resume' }

function cellText(client: Client, cells: Cells | undefined): string {
  return checks
    .map((check) => {
      const lack = client.lacks?.[check]
      const cell = cells?.[check]
      if (lack !== undefined) return `${words[check]} –`
      return cell ? `${words[check]} ${cell.ok ? '✓' : '✗'}` : `${words[check]} ?`
    })
    .join(', ')
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
  const kinds: readonly Kind[] = ['openai', 'anthropic', 'gemini', 'chat-only']
  const rows = clients.map(
    (client) => `| ${client.name} | ${kinds.map((kind) => cellText(client, known[client.name]?.[kind])).join(' | ')} |`,
  )
  const reasons = clients.flatMap((client) =>
    Object.entries(client.lacks ?? {}).map(([check, why]) => `- ${client.name}, ${words[check as Check]}: ${why}.`),
  )
  const head = '| client | OpenAI | Anthropic | Gemini | chat only |\n|---|---|---|---|---|'
  const table = `${marks[0]}\n\n${head}\n${rows.join('\n')}\n\n–: the client has no way to. ?: not run yet.\n\n${reasons.join('\n')}\n\n${marks[1]}`
  const page = await Bun.file(file).text()
  const [before = '', rest = ''] = page.split(marks[0])
  await Bun.write(file, before + table + (rest.split(marks[1])[1] ?? ''))
}
