/**
 * Throws what is wrong in every way at a running node, from a seed, for a bounded time. `npm run fuzz` takes the doors for half a
 * minute; `npm run fuzz -- console`, `npm run fuzz -- client`; `--seed 7` repeats a run, `--seconds 3600` makes it long.
 */
import { fuzzClient } from './fuzz/client.ts'
import { fuzzConsole } from './fuzz/console.ts'
import { fuzzDoors } from './fuzz/doors.ts'

/** Every fuzzer. Adding one is one line. */
const fuzzers: Record<string, (seed: number, seconds: number) => Promise<string[]>> = {
  doors: fuzzDoors,
  console: fuzzConsole,
  client: fuzzClient,
}

const args = process.argv.slice(2)
const numberAfter = (flag: string, fallback: number) =>
  args.includes(flag) ? Number(args[args.indexOf(flag) + 1]) : fallback
const name = args.find((arg) => Object.hasOwn(fuzzers, arg)) ?? 'doors'
const seed = numberAfter('--seed', 1)
const seconds = numberAfter('--seconds', 30)
console.log(`${name}, seed ${seed}, ${seconds} s`)
const faults = (await fuzzers[name]?.(seed, seconds)) ?? []
for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
console.log(faults.length === 0 ? 'nothing found' : `${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)
