/** `node scripts/run.mjs <script> [arguments]`: installs if needed, then runs the script with the project's own Bun. */
import { bunEnvironment, runBun, toolEnvironment } from './lib/bun.mjs'
import { ensureInstalled } from './lib/install.mjs'

await ensureInstalled()
const [script, ...args] = process.argv.slice(2)
const isProgram = script === 'server/main.ts'
process.exitCode = await runBun([script, ...args], { env: isProgram ? bunEnvironment() : toolEnvironment() })
