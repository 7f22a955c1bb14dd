import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/database.ts'
import { startTcpBalancer, type TcpBalancer } from '#server/testing/tcp-balancer.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { type Child, startChild } from '../support/process.ts'
import { setUpRelay } from '../support/relay-process.ts'
import { type ClusterNode, createNode } from './node.ts'
import { randomOf } from './random.ts'
import { type Cluster, runRounds } from './rounds.ts'
import { steps } from './steps.ts'

/** `npm run cluster` in short: two nodes, one database, a tenth of the time, each kind of fall once. */
describe.if(onPostgres)('two nodes of which one falls', () => {
  let mock: Child
  let front: TcpBalancer
  let nodes: ClusterNode[]
  let cluster: Cluster

  beforeAll(async () => {
    const url = new URL(await freshDatabaseUrl())
    mock = await startChild(join(import.meta.dirname, '../support/mock-upstream.ts'))
    nodes = await Promise.all([0, 1].map(() => createNode([Number(url.port)], url.pathname.slice(1))))
    const [first] = nodes
    if (!first) throw new Error('no node')
    for (const node of nodes) await node.start()
    front = await startTcpBalancer(nodes.map(({ port }) => ({ host: '127.0.0.1', port })))
    const keys = await setUpRelay(first, mock)
    cluster = { url: `http://127.0.0.1:${front.port}`, keys, nodes, databaseUrl: url.toString(), pair: null }
  })
  afterAll(async () => {
    for (const node of nodes) await node.kill()
    await front.stop()
    await mock.stop('SIGKILL')
  })

  /** As if the time had passed after which a node that gives no sign counts as dead; the living sign again at once. */
  const endLeases = async () => {
    const database = openDatabase(cluster.databaseUrl)
    await database.db.updateTable('nodes').set({ lease_until: 0 }).execute()
    await database.close()
  }

  test('lose nothing, bill nothing twice and leave nothing held', async () => {
    const chosen = steps.filter(({ needsPair }) => !needsPair)
    const report = await runRounds(cluster, {
      steps: chosen,
      clients: 6,
      random: randomOf(1),
      secondMs: 100,
      goesOn: (round) => round <= chosen.length,
      settled: endLeases,
      say: () => {},
    })
    expect(report.faults).toEqual([])
    expect(report.gaps.map(({ step }) => step)).toEqual(chosen.map(({ name }) => name))
    expect(report.whole).toBeGreaterThan(0)
  }, 120_000)
})
