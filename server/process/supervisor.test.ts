import { expect, test } from 'bun:test'
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

test('a serving process whose supervisor was killed stops by itself', async () => {
  const server = await spawnServer(supervised)
  server.kill('SIGKILL')
  await until(async () => !(await answers(server.url)))
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
