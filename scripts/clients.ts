/** `npm run clients [name]`: real clients from the registries against a scripted upstream on four kinds of channels. */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { type Check, type Client, checks, clients, type Place, type Step } from './clients/clients.ts'
import { type Cell, writeTable } from './clients/table.ts'
import { type Kind, startUpstream } from './clients/upstream.ts'

const kinds: readonly (readonly [Kind, number])[] = [
  ['openai', 1],
  ['anthropic', 14],
  ['gemini', 24],
  ['chat-only', 8],
]
const models = 'gpt-4o,claude-sonnet-4-5,gemini-2.5-pro,gemini-2.5-flash,gemini-2.5-flash-lite,gpt-5.5,gpt-6-sol'
const root = join(tmpdir(), 'switchyard-clients')
const drivers = join(import.meta.dir, 'clients/drivers')
const timeoutMs = 120_000
/** Some bring hundreds of packages, and build what has no wheel. */
const installTimeoutMs = 15 * 60_000

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const emptyPdf =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

interface Ran {
  readonly ok: boolean
  readonly output: string
}

async function run(command: readonly string[], cwd: string, env: object = {}, killAfterMs = timeoutMs): Promise<Ran> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const timer = setTimeout(() => child.kill(), killAfterMs)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  clearTimeout(timer)
  return { ok: (await child.exited) === 0, output: `${out}\n${err}` }
}

async function runInstaller(command: readonly string[], folder: string): Promise<void> {
  const { ok, output } = await run(command, folder, {}, installTimeoutMs)
  console.log(output.trim().slice(-500))
  if (!ok) throw new Error(`Not installed: ${command.join(' ')}`)
}

/** Clients with the same packages share a folder. */
async function install({ npm = [], pip = [] }: Client): Promise<string> {
  const folder = join(
    root,
    (npm.length > 0 ? ['npm', ...npm] : ['pip', ...pip]).join('+').replaceAll(/[^\w.@+-]/g, '_'),
  )
  const done = join(folder, 'installed')
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    if (npm.length > 0)
      await runInstaller(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts=false', ...npm], folder)
    if (pip.length > 0) {
      await runInstaller(['python3', '-m', 'venv', 'venv'], folder)
      await runInstaller(['venv/bin/pip', 'install', '-q', ...pip], folder)
    }
    writeFileSync(done, '')
  }
  for (const file of readdirSync(drivers)) cpSync(join(drivers, file), join(folder, file))
  return folder
}

function judged(step: Step, output: string): [Check, Cell][] {
  if (step.checks) {
    return Object.entries(step.checks).map(([name, wanted]) => [
      name as Check,
      { ok: wanted.test(output), said: output.trim().slice(-300) },
    ])
  }
  return output.split('\n').flatMap((line): [Check, Cell][] => {
    if (!line.startsWith('{"check"')) return []
    const { check, ok, said } = JSON.parse(line)
    return [[check, { ok, said }]]
  })
}

async function runClient(client: Client, place: Omit<Place, 'folder'>, kind: Kind): Promise<Map<Check, Cell>> {
  const work = join(root, 'work', `${client.name}-${kind}`.replaceAll(/[^\w-]/g, '_'))
  mkdirSync(work, { recursive: true })
  const cells = new Map<Check, Cell>()
  let output = ''
  for (const step of client.steps({ ...place, folder: await install(client) })) {
    output = await run(step.command, work, step.env).then(({ output }) => output, String)
    for (const [check, cell] of judged(step, output)) cells.set(check, cell)
  }
  return cells.size === 0 ? allFailed(output) : cells
}

const allFailed = (said: string): Map<Check, Cell> =>
  new Map(checks.map((check) => [check, { ok: false, said: said.trim().slice(-300) }]))

mkdirSync(root, { recursive: true })
const png = join(root, 'pixel.png')
const pdf = join(root, 'empty.pdf')
writeFileSync(png, Buffer.from(onePixel, 'base64'))
writeFileSync(pdf, emptyPdf)
const wanted = clients.filter(({ name }) => name.toLowerCase().includes((process.argv[2] ?? '').toLowerCase()))
const results = new Map<string, Map<Kind, Map<Check, Cell>>>(wanted.map(({ name }) => [name, new Map()]))
for (const [kind, type] of kinds) {
  const upstream = startUpstream(kind)
  const scene = await startRelayScene({ quota: 1_000_000_000, tokenQuota: 1_000_000_000 })
  await scene.root.call(api.channels.create, { name: kind, type, key: 'key', models, base_url: upstream.url })
  for (const client of wanted) {
    const place = { drivers, base: scene.app.url, key: scene.key, png, pdf }
    const cells = await runClient(client, place, kind).catch((error) => allFailed(String(error)))
    results.get(client.name)?.set(kind, cells)
    for (const [check, { ok, said }] of cells)
      console.log(ok ? 'ok  ' : 'FAIL', kind, '|', client.name, '|', check, ok ? '' : said)
  }
  await scene.stop()
  upstream.stop()
}
await writeTable(clients, results, join(root, 'results.json'))
process.exit(0)
