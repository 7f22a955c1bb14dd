/**
 * Hurts a relay under load and proves that the books still agree with what clients saw.
 * `npm run crash` kills it 50 times; `npm run crash -- 10` ten times; `npm run crash -- sigterm` asks it to stop instead;
 * `npm run crash -- postgres` takes its database away. With DATABASE_URL the first two run on that database.
 * `npm run crash -- doors` kills it with batches, videos, sessions and files in flight; `doors-postgres` on a PostgreSQL of its own.
 */
import { join } from 'node:path'
import { killAmongDoors } from './doors/kill-among-doors.ts'
import { startChild } from './support/process.ts'
import { createRelayProcess, type RelayProcess, setUpRelay } from './support/relay-process.ts'
import { startStoppablePostgres } from './support/stoppable-postgres.ts'
import { judge, untilHoldsResolved } from './support/verdict.ts'
import { callWitnesses, type Witnesses } from './support/witnesses.ts'

const clients = 24
const readyMaxMs = 5000

const between = (least: number, most: number) => least + Math.random() * (most - least)

interface Scene {
  readonly relay: RelayProcess
  readonly witnesses: Witnesses
  readonly faults: string[]
}

/** Runs something against a relay under load and judges the books afterwards. */
async function underLoad(
  databaseUrl: string | undefined,
  hurt: (scene: Scene) => Promise<void>,
  gently = false,
): Promise<boolean> {
  const mock = await startChild(join(import.meta.dirname, 'support/mock-upstream.ts'))
  const relay = await createRelayProcess(databaseUrl)
  const faults: string[] = []
  try {
    await relay.start()
    const witnesses = callWitnesses(relay.url, await setUpRelay(relay, mock), clients)
    await hurt({ relay, witnesses, faults })
    await witnesses.stop()
    const holdsMs = await untilHoldsResolved(relay.databaseUrl)
    if (holdsMs === null) faults.push('holds were still open after 60 s')
    await relay.stop()
    const verdict = await judge(relay.databaseUrl, witnesses)
    faults.push(...verdict.faults)
    if (gently && verdict.unseen > 0) faults.push(`${verdict.unseen} answers were billed and reached nobody`)
    report(witnesses, holdsMs, faults)
  } finally {
    await relay.kill()
    await mock.stop('SIGKILL')
  }
  return faults.length === 0
}

function report(witnesses: Witnesses, holdsMs: number | null, faults: readonly string[]): void {
  const { complete, partial, broken, refusals } = witnesses
  console.log(
    `answers seen whole: ${complete.size}, in part: ${partial.size}, connections closed before an answer: ${broken}`,
  )
  if (refusals.size > 0)
    console.log(`refusals: ${[...refusals].map(([name, count]) => `${name} × ${count}`).join(', ')}`)
  if (holdsMs !== null) console.log(`holds resolved ${(holdsMs / 1000).toFixed(1)} s after the last start`)
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
  console.log(faults.length === 0 ? 'every answer seen whole is billed exactly once' : `${faults.length} faults`)
}

async function restart({ relay, faults }: Scene): Promise<number> {
  const ms = await relay.start()
  if (ms > readyMaxMs) faults.push(`ready only after ${ms.toFixed(0)} ms`)
  return ms
}

const killRounds = (rounds: number) =>
  underLoad(process.env.DATABASE_URL, async (scene) => {
    let slowest = 0
    for (let round = 1; round <= rounds; round += 1) {
      await Bun.sleep(between(300, 3000))
      await scene.relay.kill()
      slowest = Math.max(slowest, await restart(scene))
      if (round % 10 === 0) console.log(`${round} kills, ${scene.witnesses.complete.size} answers seen whole`)
    }
    console.log(`killed ${rounds} times, ready after ${(slowest / 1000).toFixed(1)} s at most`)
  })

const stopRounds = () => underLoad(process.env.DATABASE_URL, stopAndStart, true)

/** No request that reached the relay is lost. One that met a closing connection has not, and clients send it again. */
async function stopAndStart(scene: Scene): Promise<void> {
  const { relay, witnesses, faults } = scene
  for (let round = 0; round < 5; round += 1) {
    await Bun.sleep(between(500, 2000))
    const code = await relay.stop()
    if (code !== 0) faults.push(`it ended with ${code}`)
    await restart(scene)
  }
  await witnesses.stop()
  const { partial, refusals } = witnesses
  if (partial.size + refusals.size > 0) {
    faults.push(`clients saw errors: ${partial.size} answers in part, ${[...refusals.keys()]}`)
  }
}

async function loseDatabase(): Promise<boolean> {
  const postgres = await startStoppablePostgres()
  try {
    return await underLoad(postgres.url, async ({ witnesses, faults }) => {
      for (let round = 0; round < 3; round += 1) {
        await Bun.sleep(between(1000, 2000))
        await postgres.halt()
        await Bun.sleep(between(1000, 9000))
        await postgres.resume()
        const back = Date.now()
        while (witnesses.lastCompleteAt < back && Date.now() - back < 2 * readyMaxMs) await Bun.sleep(20)
        const ms = Date.now() - back
        console.log(`serving again ${(ms / 1000).toFixed(1)} s after the database`)
        if (ms > readyMaxMs) faults.push(`served only ${ms} ms after the database was back`)
      }
      const others = [...witnesses.refusals.keys()].filter((refusal) => !refusal.startsWith('503'))
      if (others.length > 0) faults.push(`refused with ${others}`)
    })
  } finally {
    await postgres.stop()
  }
}

async function doorsOnPostgres(): Promise<boolean> {
  const postgres = await startStoppablePostgres()
  try {
    return await killAmongDoors(postgres.url)
  } finally {
    await postgres.stop()
  }
}

const [what = '50'] = process.argv.slice(2)
const modes: Record<string, () => Promise<boolean>> = {
  sigterm: stopRounds,
  postgres: loseDatabase,
  doors: () => killAmongDoors(process.env.DATABASE_URL),
  'doors-postgres': doorsOnPostgres,
}
const passed = await (modes[what] ?? (() => killRounds(Number(what) || 50)))()
process.exit(passed ? 0 : 1)
