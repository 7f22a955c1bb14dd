/**
 * Three nodes behind a balancer on a primary with a synchronous standby, under steady load. Kills, pauses, cuts and promotes by a
 * seeded plan, and proves the books after each step. `npm run cluster` runs 30 minutes; `npm run cluster -- 5` five; a second
 * number is the seed.
 */
import { join } from 'node:path'
import { startTcpBalancer } from '#server/testing/tcp-balancer.ts'
import { type ClusterNode, createNode } from './cluster/node.ts'
import { startPostgresPair } from './cluster/postgres-pair.ts'
import { randomOf } from './cluster/random.ts'
import { type Report, runRounds } from './cluster/rounds.ts'
import { steps } from './cluster/steps.ts'
import { startChild } from './support/process.ts'
import { furnish } from './support/relay-process.ts'

const [minutes = 30, seed = 1] = process.argv.slice(2).map(Number)

const pair = await startPostgresPair()
const mock = await startChild(join(import.meta.dirname, 'support/mock-upstream.ts'))
const nodes: ClusterNode[] = await Promise.all([0, 1, 2].map(() => createNode(pair.ports)))
let report: Report | null = null
try {
  for (const node of nodes) await node.start()
  const front = await startTcpBalancer(nodes.map(({ port }) => ({ host: '127.0.0.1', port })))
  const [first] = nodes
  if (!first) throw new Error('no node')
  const keys = await furnish(first, mock)
  const until = Date.now() + minutes * 60_000
  const cluster = { url: `http://127.0.0.1:${front.port}`, keys, nodes, databaseUrl: first.databaseUrl, pair }
  report = await runRounds(cluster, {
    steps,
    clients: 12,
    random: randomOf(seed),
    secondMs: 1000,
    goesOn: () => Date.now() < until,
    say: console.log,
  })
  await front.stop()
  print(report)
} finally {
  for (const node of nodes) await node.kill()
  await mock.stop('SIGKILL')
  await pair.stop()
}
process.exit(report.faults.length === 0 ? 0 : 1)

function print({ gaps, faults, whole }: Report): void {
  console.log('\nlongest time without a whole answer')
  for (const { name } of steps) {
    const own = gaps.filter((gap) => gap.step === name).map((gap) => gap.ms)
    if (own.length > 0)
      console.log(`  ${name.padEnd(34)} ${(Math.max(...own) / 1000).toFixed(1)} s (${own.length} times)`)
  }
  console.log(`${whole} answers seen whole`)
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
  console.log(faults.length === 0 ? '0 lost, 0 doubled, 0 left held, drift 0' : `${faults.length} faults`)
}
