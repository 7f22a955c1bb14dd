import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { type SpawnedServer, spawnServer } from '#server/testing/spawned-server.ts'
import { onPostgres } from '#server/testing/test-database.ts'

const supervised = { BUN_CONFIG_MAX_HTTP_REQUESTS: '' }

async function freePort(): Promise<string> {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  return String(port)
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { keepalive: false }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Nodes that said they serve, in their log. */
const nodesOf = (server: SpawnedServer): string[] =>
  [...server.output().matchAll(/"message":"serving".*?"node":"(\w+)"/g)].map(([, node = '']) => node)

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20)
}

interface FoundWorker {
  readonly id: number
  readonly variables: string[]
}

/** The workers that serve from this folder, with their environment, the first one first. */
function workersOf(dataDir: string): FoundWorker[] {
  const found = readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name)
        ? [{ id: Number(name), variables: readFileSync(`/proc/${name}/environ`, 'utf8').split('\0') }]
        : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
  return Array.from({ length: 2 }, (_, index) => `SWITCHYARD_WORKER=${index}`).flatMap((mark) =>
    found.filter(({ variables }) => variables.includes(`DATA_DIR=${dataDir}`) && variables.includes(mark)),
  )
}

const workerOf = (dataDir: string): FoundWorker | undefined => workersOf(dataDir)[0]

test.if(process.platform === 'linux')(
  'a worker gets the settings of the runtime that are not set already',
  async () => {
    const server = await spawnServer({ ...supervised, MIMALLOC_PURGE_DELAY: '', MIMALLOC_PURGE_HOLES: '1' })
    const variables = workerOf(server.dataDir)?.variables
    server.kill('SIGTERM')
    expect(variables).toContain('BUN_CONFIG_MAX_HTTP_REQUESTS=65336')
    expect(variables).toContain('MIMALLOC_PURGE_DELAY=10000')
    expect(variables).toContain('MIMALLOC_PURGE_HOLES=1')
    expect(await server.exited).toBe(0)
  },
)

test('a serving process whose supervisor was killed stops by itself', async () => {
  const server = await spawnServer(supervised)
  server.kill('SIGKILL')
  await until(async () => !(await answers(server.url)))
})

test.if(onPostgres)('several workers that find their port taken say so, and the start ends', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const start = spawnServer({ ...supervised, WORKERS: '2', PORT: String(taken.port) })
  await expect(start).rejects.toThrow(
    new RegExp(`ended with 1: [\\s\\S]*Port ${taken.port} is in use. Set PORT to another`),
  )
  await taken.stop(true)
})

test.if(onPostgres)('several workers do not share their port with those of another start', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response() })
  const start = spawnServer({ ...supervised, WORKERS: '2', PORT: String(taken.port) })
  await expect(start).rejects.toThrow(`Port ${taken.port} is in use. Set PORT to another`)
  await taken.stop(true)
})

test.if(onPostgres)('workers that all ended and cannot come up again say so, and the supervisor ends', async () => {
  const port = await freePort()
  const server = await spawnServer({ ...supervised, WORKERS: '2', PORT: port, LOG_LEVEL: 'info' })
  await until(() => nodesOf(server).length === 2)
  for (const { id } of workersOf(server.dataDir)) process.kill(id, 'SIGKILL')
  const taken = await takenAtOnce(Number(port))
  expect(await server.exited).toBe(1)
  expect(server.output()).toContain(`Port ${port} is in use.`)
  expect(server.output()).toContain('No process serves any more, and none comes up')
  await taken.stop(true)
})

async function takenAtOnce(port: number) {
  for (;;) {
    try {
      return Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() })
    } catch {
      await Bun.sleep(5)
    }
  }
}

test.if(onPostgres)('a worker that ends is started again while another one serves', async () => {
  const server = await spawnServer({ ...supervised, WORKERS: '2', PORT: await freePort(), LOG_LEVEL: 'info' })
  await until(() => nodesOf(server).length === 2)
  process.kill(workerOf(server.dataDir)?.id ?? 0, 'SIGKILL')
  await until(() => nodesOf(server).length === 3)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test.if(onPostgres)('SIGHUP replaces every worker while the port goes on answering', async () => {
  const server = await spawnServer({ ...supervised, WORKERS: '2', PORT: await freePort(), LOG_LEVEL: 'info' })
  await until(() => nodesOf(server).length === 2)
  server.kill('SIGHUP')
  const stops = () => server.output().split('"message":"stopping"').length - 1
  await until(async () => {
    expect(await answers(server.url)).toBe(true)
    return stops() === 2
  })
  await until(() => new Set(nodesOf(server)).size === 4)
  expect(await answers(server.url)).toBe(true)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await answers(server.url)).toBe(false)
})
