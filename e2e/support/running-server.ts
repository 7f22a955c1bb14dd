import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const rootPassword = 'root-password'

/** Hashes of passwords are cheap in it: tests log in often. */
const program = ['--preload', './server/testing/cheap-hashes.ts', 'server/main.ts', 'serve']

export interface RunningServer {
  readonly url: string
  stop(): Promise<void>
}

/** The program as an operator starts it, on a free port, with data of its own and no rate limits. */
export async function startServer(env: Record<string, string> = {}): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-e2e-'))
  const child = spawn(env.TEST_BUN ?? process.env.TEST_BUN ?? 'bun', program, {
    env: {
      ...process.env,
      BUN_CONFIG_MAX_HTTP_REQUESTS: '65336',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      INITIAL_ROOT_PASSWORD: rootPassword,
      RATE_LIMIT_API: '0',
      RATE_LIMIT_WEB: '0',
      RATE_LIMIT_CRITICAL: '0',
      RATE_LIMIT_REGISTER: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const address = /serves on (http:\S+)/.exec(printed)?.[1]
      if (address) resolve(address)
    })
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
