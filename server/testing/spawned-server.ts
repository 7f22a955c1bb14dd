import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabaseUrl } from './test-database.ts'

export interface SpawnedServer {
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Everything printed so far. */
  output(): string
  kill(signal: NodeJS.Signals): void
  readonly exited: Promise<number>
}

const mainFile = join(import.meta.dirname, '..', 'main.ts')

/** The program itself in a process of its own, on a port of its own and a fresh database. */
export async function spawnServer(env: Record<string, string> = {}): Promise<SpawnedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-'))
  const child = Bun.spawn([process.execPath, mainFile, 'serve'], {
    env: {
      ...process.env,
      BUN_CONFIG_MAX_HTTP_REQUESTS: '65336',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: await freshDatabaseUrl(),
      LOG_LEVEL: 'error',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let printed = ''
  const found = Promise.withResolvers<string>()
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      printed += decoder.decode(chunk, { stream: true })
      const address = /serves on (http:\S+)/.exec(printed)?.[1]
      if (address) found.resolve(address)
    }
  }
  const done = Promise.all([collect(child.stdout), collect(child.stderr)])
  const exited = child.exited.then(async (code) => {
    await done
    found.reject(new Error(`the server ended with ${code}: ${printed}`))
    return code
  })
  const url = await found.promise
  return { url, dataDir, pid: child.pid, output: () => printed, kill: (signal) => child.kill(signal), exited }
}
