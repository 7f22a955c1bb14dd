/** `node scripts/run.mjs <script> [arguments]`: installs if needed, then runs the script with the project's own Bun. */
import { runBun } from './lib/bun.mjs'
import { ensureInstalled } from './lib/install.mjs'

await ensureInstalled()
process.exitCode = await runBun(process.argv.slice(2))
