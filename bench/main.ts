import { benchExport } from './export.ts'
import { benchLimits } from './limits.ts'
import { benchLists } from './lists.ts'
import { benchMemory } from './memory.ts'
import { benchRelay } from './relay/bench.ts'
import { benchTraffic } from './traffic.ts'
import { benchUsage } from './usage.ts'

/** Every benchmark: `npm run bench -- <name>`. Adding one is one line. */
const benches: Record<string, () => Promise<void>> = {
  relay: benchRelay,
  lists: benchLists,
  usage: benchUsage,
  traffic: benchTraffic,
  export: benchExport,
  memory: benchMemory,
  limits: benchLimits,
}

const [name = 'relay'] = process.argv.slice(2)
const bench = benches[name]
if (bench) await bench()
else {
  console.error(`Name a benchmark: ${Object.keys(benches).join(', ')}`)
  process.exitCode = 2
}
