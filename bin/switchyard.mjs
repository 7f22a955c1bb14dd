#!/usr/bin/env node
/** What `npx switchyard` runs: the program on the Bun that was installed with it, in the caller's folder. */
import { runBun } from '../scripts/lib/bun.mjs'
import { inRoot } from '../scripts/lib/paths.mjs'

process.exitCode = await runBun([inRoot('server', 'main.ts'), ...process.argv.slice(2)], { cwd: process.cwd() })
