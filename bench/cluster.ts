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
import { setUpRelay } from './support/relay-process.ts'
import { faultKinds } from './support/verdict.ts'

const [minutes = 30, seed = 1] = process.argv.slice(2).map(Number)
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('npm run cluster -- <minutes> <seed>')
  process.exit(2)
}
/** Beyond the last round, which began in time: longer than any round takes. */
const graceMinutes = 6

const pair = await startPostgresPair()
const mock = await startChild(join(import.meta.dirname, 'support/mock-upstream.ts'))
const nodes: ClusterNode[] = await Promise.all([0, 1, 2].map(() => createNode(pair.ports)))
const endAll = async () => {
  for (const node of nodes) await node.kill()
  await mock.stop('SIGKILL')
  await pair.stop()
}
const giveUp = (why: string) => {
  console.error(`FAULT ${why}`)
  endAll().finally(() => process.exit(1))
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => giveUp(signal))
const watchdog = setTimeout(() => giveUp('a round did not come to its end'), (minutes + graceMinutes) * 60_000)

let report: Report | null = null
try {
  for (const node of nodes) await node.start()
  const front = await startTcpBalancer(nodes.map(({ port }) => ({ host: '127.0.0.1', port })))
  const [first] = nodes
  if (!first) throw new Error('no node')
  const keys = await setUpRelay(first, mock)
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
} catch (error) {
  console.error('FAULT', error)
} finally {
  clearTimeout(watchdog)
  await endAll()
}
process.exit(report && [...report.faults, ...lateIn(report)].length === 0 ? 0 : 1)

/** What took longer than is promised. */
function lateIn({ gaps }: Report): string[] {
  return gaps.flatMap(({ step, ms, backMs }) => {
    const goal = steps.find(({ name }) => name === step)
    return [
      ...(goal && ms > goal.gapMaxMs ? [`${step}: no whole answer for ${ms} ms`] : []),
      ...(goal && backMs > goal.backMaxMs ? [`${step}: a node served only ${backMs} ms after the end`] : []),
    ]
  })
}

function print(report: Report): void {
  const { gaps, counts, whole } = report
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(8)
  console.log(`\n${'the longest of all times'.padEnd(36)} times  without a whole answer  until all nodes served again`)
  for (const { name, gapMaxMs, backMaxMs } of steps) {
    const own = gaps.filter((gap) => gap.step === name)
    if (own.length === 0) continue
    const longest = seconds(Math.max(...own.map(({ ms }) => ms)))
    const back = seconds(Math.max(...own.map(({ backMs }) => backMs)))
    const goals = [gapMaxMs, backMaxMs].map((ms) => `(at most ${ms / 1000})`)
    console.log(`${name.padEnd(36)} ${String(own.length).padStart(5)}  ${longest} ${goals[0]}  ${back} ${goals[1]}`)
  }
  console.log(`\n${whole} answers seen whole: ${faultKinds.map((kind) => `${counts[kind]} ${kind}`).join(', ')}`)
  const faults = [...report.faults, ...lateIn(report)]
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
  if (faults.length > 0) console.log(`${faults.length} faults`)
}
