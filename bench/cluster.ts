/**
 * Three nodes behind a balancer on a primary with a synchronous standby, under steady load. Kills, pauses, cuts and promotes by a
 * seeded plan, and proves the books after each step. `npm run cluster` runs 30 minutes; `npm run cluster -- 5` five; a second
 * number is the seed.
 */
import { join } from 'node:path'
import { startTcpBalancer } from '#server/testing/tcp-balancer.ts'
import { type ClusterNode, createNode } from './cluster/node.ts'
import { startPostgresPair } from './cluster/postgres-pair.ts'
import { type Step, steps } from './cluster/steps.ts'
import { startChild } from './support/process.ts'
import { furnish } from './support/relay-process.ts'
import { judge, untilHoldsResolved } from './support/verdict.ts'
import { callWitnesses, type Witnesses } from './support/witnesses.ts'

const [minutes = 30, seed = 1] = process.argv.slice(2).map(Number)
const clients = 12
const quietMs = 45_000

/** A small generator with a seed: the same plan every time. */
function randomOf(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Gap {
  readonly step: string
  readonly ms: number
}

/** The longest time without a whole answer while something was done. */
async function during(witnesses: Witnesses, work: () => Promise<void>): Promise<number> {
  let longest = 0
  let over = false
  const watch = (async () => {
    while (!over) {
      longest = Math.max(longest, Date.now() - witnesses.lastCompleteAt)
      await Bun.sleep(20)
    }
  })()
  await work()
  const until = Date.now() + quietMs
  while (Date.now() - witnesses.lastCompleteAt > 500 && Date.now() < until) await Bun.sleep(50)
  await Bun.sleep(1500)
  over = true
  await watch
  return longest
}

const pair = await startPostgresPair()
const mock = await startChild(join(import.meta.dirname, 'support/mock-upstream.ts'))
const nodes: ClusterNode[] = await Promise.all([0, 1, 2].map(() => createNode(pair.ports)))
const faults: string[] = []
const gaps: Gap[] = []
try {
  for (const node of nodes) await node.start()
  const front = await startTcpBalancer(nodes.map(({ port }) => ({ host: '127.0.0.1', port })))
  const [first] = nodes
  if (!first) throw new Error('no node')
  const keys = await furnish(first, mock)
  const random = randomOf(seed)
  const url = `http://127.0.0.1:${front.port}`
  const until = Date.now() + minutes * 60_000
  const seen = { complete: new Set<string>(), partial: new Set<string>() }
  for (let round = 1; Date.now() < until; round += 1) {
    const step = steps[(round - 1) % steps.length] as Step
    const node = nodes[Math.floor(random() * nodes.length)] as ClusterNode
    const witnesses = callWitnesses(url, keys, clients)
    await Bun.sleep(1000 + random() * 2000)
    const ms = await during(witnesses, () => step.run({ node, pair, random }))
    gaps.push({ step: step.name, ms })
    await witnesses.stop()
    for (const id of witnesses.complete) seen.complete.add(id)
    for (const id of witnesses.partial) seen.partial.add(id)
    const held = await untilHoldsResolved(first.databaseUrl)
    if (held === null) faults.push(`round ${round} (${step.name}): holds were still open after 60 s`)
    const verdict = await judge(first.databaseUrl, { ...witnesses, ...seen })
    faults.push(...verdict.faults.map((fault) => `round ${round} (${step.name}): ${fault}`))
    const { complete, partial, refusals } = witnesses
    console.log(
      `${String(round).padStart(3)} ${step.name.padEnd(34)} ${(ms / 1000).toFixed(1).padStart(5)} s without an answer, ${complete.size} whole, ${partial.size} in part, refusals ${[...refusals].map(([name, count]) => `${name} × ${count}`).join(', ') || 'none'}, ${verdict.faults.length} faults`,
    )
    if (faults.length > 0) break
  }
  await front.stop()
  console.log('\nlongest time without a whole answer')
  for (const { name } of steps) {
    const own = gaps.filter((gap) => gap.step === name).map((gap) => gap.ms)
    if (own.length > 0)
      console.log(`  ${name.padEnd(34)} ${(Math.max(...own) / 1000).toFixed(1)} s (${own.length} times)`)
  }
  console.log(`${seen.complete.size} answers seen whole`)
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
  console.log(faults.length === 0 ? '0 lost, 0 doubled, 0 left held, drift 0' : `${faults.length} faults`)
} finally {
  for (const node of nodes) await node.kill()
  await mock.stop('SIGKILL')
  await pair.stop()
}
process.exit(faults.length === 0 ? 0 : 1)
