/**
 * Sends malformed requests and answers of every kind to a running node, from a seed, for a bounded time.
 * `npm run fuzz` takes the doors for half a minute, `npm run fuzz -- client` the client for upstreams beside the runtime's own;
 * `--seconds 3600` makes them long. `npm run fuzz -- console` makes every call of the console as everybody, 20 times over;
 * `--rounds 5` makes that shorter, `--postgres` runs it there. `--seed 7` repeats a run.
 */
import { fuzzClient } from './fuzz/client.ts'
import { fuzzConsole } from './fuzz/console.ts'
import { fuzzDoors } from './fuzz/doors.ts'

interface Run {
  readonly seed: number
  readonly seconds: number
  readonly rounds: number
  readonly onPostgres: boolean
}

/** Every fuzzer. Adding one is one line. */
const fuzzers: Record<string, (run: Run) => Promise<string[]>> = {
  doors: ({ seed, seconds }) => fuzzDoors(seed, seconds),
  console: fuzzConsole,
  client: ({ seed, seconds }) => fuzzClient(seed, seconds),
}

const args = process.argv.slice(2)
const numberAfter = (flag: string, fallback: number) =>
  args.includes(flag) ? Number(args[args.indexOf(flag) + 1]) : fallback
const name = args.find((arg) => Object.hasOwn(fuzzers, arg)) ?? 'doors'
const run: Run = {
  seed: numberAfter('--seed', 1),
  seconds: numberAfter('--seconds', 30),
  rounds: numberAfter('--rounds', 20),
  onPostgres: args.includes('--postgres'),
}
console.log(`${name}, seed ${run.seed}`)
const faults = (await fuzzers[name]?.(run)) ?? []
for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
console.log(faults.length === 0 ? 'nothing found' : `${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)
