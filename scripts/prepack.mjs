/** Runs before the npm package is packed: the console goes into it built. */
import { ensureInstalled } from './lib/install.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

await ensureInstalled()
await ensureWebBuilt()
