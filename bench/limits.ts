/**
 * Three nodes behind a balancer, and clients that ask for more than a token may have: how many requests, tokens and requests at one
 * time are let in within any 60 s, and how long after `kill -9` of a node its places are free again.
 */
import { startTcpBalancer } from '#server/testing/tcp-balancer.ts'
import { api } from '#shared/api/all.ts'
import type { Limits } from '#shared/limits.ts'
import { startPostgres } from '../scripts/lib/postgres.mjs'
import { createNode } from './cluster/node.ts'
import { type Admitted, busiestMinute } from './limits/busiest.ts'
import { startCrossingUpstream, usage } from './limits/crossing-upstream.ts'
import { operate } from './support/console.ts'
import { rootPassword } from './support/relay-process.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 150)
const [rpm, tpm, parallel] = [90, 4500, 12]
const quickModel = 'limits-quick'
const slowModel = 'limits-slow'
const slowMs = 1500
const askEveryMs = 50
const givenBackWithinMs = 60_000

interface Client {
  readonly name: string
  readonly key: string
  readonly model: string
}

export async function benchLimits(): Promise<void> {
  const postgres = await startPostgres({ fsync: 'on' })
  const { port, pathname } = new URL(postgres.url)
  const nodes = await Promise.all([0, 1, 2].map(() => createNode([Number(port)], pathname.slice(1))))
  const upstream = startCrossingUpstream(slowModel, slowMs)
  try {
    for (const node of nodes) await node.start()
    const front = await startTcpBalancer(nodes.map((node) => ({ host: '127.0.0.1', port: node.port })))
    const url = `http://127.0.0.1:${front.port}/v1/chat/completions`
    const tokenOf = await setUp(nodes[0]?.url ?? '', upstream.url)
    const byRequests = askSteadily(url, { name: 'rpm', key: await tokenOf({ rpm }), model: quickModel })
    const byTokens = askSteadily(url, { name: 'tpm', key: await tokenOf({ tpm }), model: quickModel })
    const atOnce = askSteadily(url, { name: 'parallel', key: await tokenOf({ parallel }), model: slowModel })
    await Bun.sleep((seconds / 3) * 1000)
    await nodes[2]?.kill()
    const backAfterMs = await untilFull(upstream.running)
    await Bun.sleep((seconds * 2000) / 3 - backAfterMs)
    const asked = await Promise.all([byRequests(), byTokens(), atOnce()])
    await front.stop()

    const admittedOf = (sent: ReadonlyMap<string, number>, weight: number): Admitted[] =>
      [...sent].flatMap(([name, sentAt]) => {
        const arrivedAt = upstream.arrivals.get(name)
        return arrivedAt === undefined ? [] : [{ sentAt, arrivedAt, weight }]
      })
    const [requests, tokens] = [
      busiestMinute(admittedOf(asked[0].sent, 1)),
      busiestMinute(admittedOf(asked[1].sent, usage.total_tokens)),
    ]
    for (const { name, sent, statuses } of asked)
      console.log(`${name}: ${sent.size} asked in ${seconds} s, ${JSON.stringify(Object.fromEntries(statuses))}`)
    console.log(`requests within any 60 s: ${requests.surely} (as the upstream saw them ${requests.seen}), rpm ${rpm}`)
    console.log(`tokens within any 60 s: ${tokens.surely} (as the upstream saw them ${tokens.seen}), tpm ${tpm}`)
    console.log(`at one time: ${upstream.most()}, parallel ${parallel}`)
    console.log(`after kill -9 of a node its places were free again within ${(backAfterMs / 1000).toFixed(1)} s`)
    const isKept = requests.surely <= rpm && tokens.surely <= tpm && upstream.most() <= parallel
    const isUsed = requests.surely >= rpm && upstream.most() >= parallel
    if (!isKept || !isUsed || backAfterMs >= givenBackWithinMs) process.exitCode = 1
  } finally {
    for (const node of nodes) {
      await node.kill()
      for (const link of node.links) await link.stop()
    }
    await upstream.stop()
    await postgres.stop()
  }
}

async function setUp(nodeUrl: string, upstreamUrl: string): Promise<(limits: Partial<Limits>) => Promise<string>> {
  const call = await operate(nodeUrl, rootPassword)
  const models = [quickModel, slowModel]
  await call(api.options.update, {
    key: 'ModelRatio',
    value: JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))),
  })
  await call(api.channels.create, { name: 'limits', type: 1, key: 'x', models: models.join(), base_url: upstreamUrl })
  await call(api.users.update, { id: 1, quota: 1_000_000_000 })
  return async (limits) => {
    const { key } = await call(api.tokens.create, { name: 'limited', unlimited_quota: true, ...limits })
    return `sk-${key}`
  }
}

interface Asked {
  readonly name: string
  /** When each request was sent, by what it says. */
  readonly sent: ReadonlyMap<string, number>
  readonly statuses: ReadonlyMap<number, number>
}

/** Asks over and over, each time over a connection of its own. Stops and answers when called. */
function askSteadily(url: string, { name, key, model }: Client): () => Promise<Asked> {
  const sent = new Map<string, number>()
  const statuses = new Map<number, number>()
  const under = new Set<Promise<void>>()
  const ask = async () => {
    const content = `${name} ${sent.size}`
    sent.set(content, performance.now())
    const status = await fetch(url, {
      method: 'POST',
      keepalive: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content }] }),
    }).then(
      async (response) => {
        await response.text()
        return response.status
      },
      () => 0,
    )
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const timer = setInterval(() => {
    const asking: Promise<void> = ask().finally(() => under.delete(asking))
    under.add(asking)
  }, askEveryMs)
  return async () => {
    clearInterval(timer)
    await Promise.all(under)
    return { name, sent, statuses }
  }
}

/** Milliseconds until as many run at one time as may. */
async function untilFull(running: () => number): Promise<number> {
  const began = performance.now()
  while (running() >= parallel) await Bun.sleep(5)
  while (running() < parallel && performance.now() - began < 2 * givenBackWithinMs) await Bun.sleep(20)
  return performance.now() - began
}
