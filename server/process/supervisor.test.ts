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

/** The first worker that serves from this folder, with its environment. */
function workerOf(dataDir: string): { id: number; variables: string[] } | undefined {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${id}/environ`, 'utf8').split('\0')
      if (variables.includes(`DATA_DIR=${dataDir}`) && variables.includes('SWITCHYARD_WORKER=0'))
        return { id: Number(id), variables }
    } catch {
      // It has ended meanwhile.
    }
  }
  return undefined
}

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
