/** What `npm start` and `npm run dev` run: everything from a fresh clone to a serving node. */
import { runBun } from './lib/bun.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

const args = process.argv.slice(2)

await ensureInstalled()
if (args[0] === '--dev') {
  const parts = [
    runBun(['--watch', '--no-clear-screen', 'server/main.ts', 'serve', ...args.slice(1)]),
    runBun(['--bun', 'node_modules/vite/bin/vite.js']),
  ]
  process.exitCode = await Promise.race(parts)
  process.kill(process.pid, 'SIGTERM')
  await Promise.all(parts)
} else {
  await ensureWebBuilt()
  process.exitCode = await runBun(['server/main.ts', 'serve', ...args])
}
