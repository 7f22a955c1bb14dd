import type { ClusterNode } from './node.ts'
import type { PostgresPair } from './postgres-pair.ts'

interface Scene {
  readonly node: ClusterNode
  readonly pair: PostgresPair | null
  readonly random: () => number
  /** Waits so many, or as much less as the plan is shorter. */
  seconds(count: number): Promise<void>
}

/** Something that happens to a cluster. It has passed when `run` resolves. */
export interface Step {
  readonly name: string
  /** Only where there is a standby. */
  readonly needsPair?: boolean
  /** How long the service as a whole may be without a whole answer … */
  readonly gapMaxMs: number
  /** … and how long after its end every node serves again by itself. */
  readonly backMaxMs: number
  run(scene: Scene): Promise<void>
}

export const steps: readonly Step[] = [
  {
    name: 'a node is killed',
    gapMaxMs: 10_000,
    backMaxMs: 15_000,
    async run({ node, seconds }) {
      await node.kill()
      await seconds(2)
      await node.start()
    },
  },
  {
    name: 'a node is paused',
    gapMaxMs: 10_000,
    backMaxMs: 20_000,
    async run({ node, random, seconds }) {
      node.signal('SIGSTOP')
      await seconds(5 + random() * 20)
      node.signal('SIGCONT')
    },
  },
  {
    name: 'a node is cut off, silently',
    gapMaxMs: 10_000,
    backMaxMs: 10_000,
    async run({ node, random, seconds }) {
      for (const link of node.links) link.hush()
      await seconds(5 + random() * 20)
      for (const link of node.links) {
        link.cut()
        link.mend()
      }
    },
  },
  {
    name: 'connections to the database break',
    gapMaxMs: 10_000,
    backMaxMs: 10_000,
    async run({ node, seconds }) {
      for (const link of node.links) link.cut()
      await seconds(1)
      for (const link of node.links) link.mend()
    },
  },
  {
    name: 'the primary dies, the standby leads',
    gapMaxMs: 15_000,
    backMaxMs: 15_000,
    needsPair: true,
    async run({ pair, seconds }) {
      await pair?.failOver()
      await seconds(5)
      await pair?.rebuild()
    },
  },
  {
    name: 'a node is replaced in good order',
    gapMaxMs: 10_000,
    backMaxMs: 15_000,
    async run({ node }) {
      await node.stop()
      await node.start()
    },
  },
]
