import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureWebBuilt } from './lib/web-build.mjs'

const root = join(import.meta.dirname, '..')
/** Building the console alone takes a while on a busy machine. */
setDefaultTimeout(240_000)

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-package-'))
  folders.push(folder)
  return folder
}

/** Of another project, whose settings and variables are not for us: what they name must neither run nor be written to. */
function foreignFolder(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./foreign.ts"]')
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=postgres://another-project@127.0.0.1:1/theirs')
  writeFileSync(join(folder, 'foreign.ts'), "throw new Error('the code of another project runs')")
  return folder
}

async function run(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${out}${err}`)
  return out
}

/** A port nobody listens on at this moment. */
function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = probe.port ?? 0
  probe.stop(true)
  return port
}

/** Starts the program as a stranger would, with nothing in the environment but a path, and polls until it answers. */
async function start(command: string[], cwd: string) {
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const env = { PATH: process.env.PATH ?? '', PORT: String(port), HOST: '127.0.0.1' }
  const child = Bun.spawn(command, { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  let status: Response | undefined
  while (!status?.ok && child.exitCode === null) {
    status = await fetch(`${url}/api/status`).catch(() => undefined)
    if (!status?.ok) await Bun.sleep(10)
  }
  const ms = Math.round(performance.now() - began)
  if (!status) throw new Error(`it ended: ${await new Response(child.stderr).text()}`)
  return {
    url,
    ms,
    status: (await status.json()) as { success: boolean; data: { version: string } },
    async stop() {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}

const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}

async function expectWholeProduct({ url, status }: Awaited<ReturnType<typeof start>>): Promise<void> {
  expect(status).toMatchObject({ success: true, data: { version } })
  const page = await (await fetch(url)).text()
  const scripts = [...page.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path)
  const assets = await Promise.all(scripts.map((path) => fetch(url + path)))
  for (const asset of assets) expect(asset.headers.get('content-type')).toContain('javascript')
  const sizes = await Promise.all(assets.map(async (asset) => (await asset.text()).length))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(10_000)
}

describe('the packages', () => {
  test('the executable serves API and console from any folder, at once', async () => {
    const built = emptyFolder()
    const program = join(built, 'switchyard')
    await run([process.execPath, join(root, 'scripts', 'build.ts'), `--outfile=${program}`], root)
    const folder = foreignFolder()
    const server = await start([program], folder)
    console.log(`the executable answered ${server.ms} ms after its start`)
    expect(server.ms).toBeLessThan(5000)
    await expectWholeProduct(server)
    expect(await server.stop()).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['.env', 'bunfig.toml', 'data', 'foreign.ts'])
    expect(readdirSync(join(folder, 'data')).sort()).toContain('secret.key')
    expect(await run([program, '--version'], folder)).toBe(`${version}\n`)
  })

  test('the npm package brings all it needs', async () => {
    await ensureWebBuilt()
    const folder = foreignFolder()
    const [{ filename = '' } = {}] = JSON.parse(
      await run(['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
    ) as { filename?: string }[]
    const home = join(folder, 'node_modules', 'switchyard')
    mkdirSync(home, { recursive: true })
    await run(['tar', '-xzf', join(folder, filename), '--strip-components=1', '-C', home], folder)
    for (const name of [...Object.keys(dependencies), '@oven']) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    }
    const server = await start(['node', join(home, 'bin', 'switchyard.mjs')], folder)
    await expectWholeProduct(server)
    expect(await server.stop()).toBe(0)
    expect(readdirSync(folder)).toContain('data')
  })

  test('the npm package finds the runtime where its install script, which npx runs, has moved it', async () => {
    const modules = join(emptyFolder(), 'node_modules')
    const home = join(modules, 'switchyard')
    for (const part of ['bin', 'scripts/lib', 'server/process/runtime-settings.mjs', 'package.json']) {
      cpSync(join(root, part), join(home, part), { recursive: true })
    }
    writeFileSync(join(home, 'server', 'main.ts'), 'console.log(Bun.version)')
    const moved = join(modules, 'bun', 'bin', 'bun.exe')
    mkdirSync(dirname(moved), { recursive: true })
    writeFileSync(join(modules, 'bun', 'package.json'), '{}')
    copyFileSync(process.execPath, moved)
    expect(await run(['node', join(home, 'bin', 'switchyard.mjs')], home)).toBe(`${Bun.version}\n`)
  })
})
