import { type FaultCounts, faultKinds, judge, noFaults, untilHoldsResolved } from '../support/verdict.ts'
import { askOnce, callWitnesses, type Witnesses } from '../support/witnesses.ts'
import type { ClusterNode } from './node.ts'
import type { PostgresPair } from './postgres-pair.ts'
import type { Step } from './steps.ts'

export interface Cluster {
  /** Where clients ask. */
  readonly url: string
  readonly keys: readonly string[]
  readonly nodes: readonly ClusterNode[]
  /** For what judges the books. */
  readonly databaseUrl: string
  /** Null where there is one database that stays. */
  readonly pair: PostgresPair | null
}

export interface Plan {
  readonly steps: readonly Step[]
  readonly clients: number
  readonly random: () => number
  /** How long a second of a step takes. */
  readonly secondMs: number
  /** False when no round is to begin any more. */
  goesOn(round: number): boolean
  /** Called before the books are looked at. */
  settled?(): Promise<void>
  say(line: string): void
}

/** What a step did to those who ask. */
export interface Gap {
  readonly step: string
  /** The longest time without a whole answer. */
  readonly ms: number
  /** How long after its end every node served again. */
  readonly backMs: number
}

export interface Report {
  readonly gaps: readonly Gap[]
  readonly counts: Readonly<FaultCounts>
  /** Empty when all is well. */
  readonly faults: readonly string[]
  /** How many answers were seen whole. */
  readonly whole: number
}

const quietMs = 45_000

interface Damage {
  readonly ms: number
  readonly backMs: number
}

/** What clients noticed while something was done. */
async function during(
  witnesses: Witnesses,
  secondMs: number,
  work: () => Promise<void>,
  untilBack: () => Promise<number>,
): Promise<Damage> {
  let longest = 0
  let over = false
  const watch = (async () => {
    while (!over) {
      longest = Math.max(longest, Date.now() - witnesses.lastCompleteAt)
      await Bun.sleep(20)
    }
  })()
  await work()
  const backMs = await untilBack()
  const until = Date.now() + quietMs
  while (Date.now() - witnesses.lastCompleteAt > 500 && Date.now() < until) await Bun.sleep(50)
  await Bun.sleep(1.5 * secondMs)
  over = true
  await watch
  return { ms: longest, backMs }
}

/** Milliseconds until each of the nodes has answered whole. */
async function untilAllServe({ nodes, keys }: Cluster, seen: Witnesses): Promise<number> {
  const began = Date.now()
  const serves = async ({ url }: ClusterNode) => {
    while (!(await askOnce(url, keys[0] ?? '', false, seen)) && Date.now() - began < quietMs) await Bun.sleep(50)
  }
  await Promise.all(nodes.map(serves))
  return Date.now() - began
}

/** One step after the other under steady load; the books are proven after each. Ends with the first fault. */
export async function runRounds(cluster: Cluster, plan: Plan): Promise<Report> {
  const { url, keys, nodes, databaseUrl, pair } = cluster
  const { steps, random, secondMs } = plan
  const gaps: Gap[] = []
  const faults: string[] = []
  const counts = noFaults()
  const seen = { complete: new Set<string>(), partial: new Set<string>() }
  for (let round = 1; plan.goesOn(round) && faults.length === 0; round += 1) {
    const step = steps[(round - 1) % steps.length]
    const node = nodes[Math.floor(random() * nodes.length)]
    if (!step || !node) break
    const witnesses = callWitnesses(url, keys, plan.clients)
    await Bun.sleep((1 + random() * 2) * secondMs)
    const seconds = (count: number) => Bun.sleep(count * secondMs)
    const damage = await during(
      witnesses,
      secondMs,
      () => step.run({ node, pair, random, seconds }),
      () => untilAllServe(cluster, { ...witnesses }),
    )
    gaps.push({ step: step.name, ...damage })
    await witnesses.stop()
    for (const id of witnesses.complete) seen.complete.add(id)
    for (const id of witnesses.partial) seen.partial.add(id)
    await plan.settled?.()
    const held = await untilHoldsResolved(databaseUrl)
    const verdict = await judge(databaseUrl, { ...witnesses, ...seen })
    for (const kind of faultKinds) counts[kind] += verdict.counts[kind]
    const found = [...(held === null ? ['holds were still open after 60 s'] : []), ...verdict.faults]
    faults.push(...found.map((fault) => `round ${round} (${step.name}): ${fault}`))
    plan.say(lineOf({ round, name: step.name, ...damage, faults: found.length }, witnesses))
  }
  return { gaps, counts, faults, whole: seen.complete.size }
}

interface RoundEnd extends Damage {
  readonly round: number
  readonly name: string
  readonly faults: number
}

function lineOf({ round, name, ms, backMs, faults }: RoundEnd, witnesses: Witnesses): string {
  const { complete, partial, refusals } = witnesses
  const refused = [...refusals].map(([refusal, count]) => `${refusal} × ${count}`).join(', ') || 'none'
  const gap = `${(ms / 1000).toFixed(1).padStart(5)} s without an answer, all nodes back after ${(backMs / 1000).toFixed(1)} s`
  return `${String(round).padStart(3)} ${name.padEnd(34)} ${gap}, ${complete.size} whole, ${partial.size} in part, refusals ${refused}, ${faults} faults`
}
