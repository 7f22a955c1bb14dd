#!/usr/bin/env node
/**
 * What `npx switchyard` runs: the program on the Bun that was installed with it, in the caller's folder. Settings of the runtime
 * that lie there, like `preload`, are somebody else's.
 */
import { devNull } from 'node:os'
import { bunEnvironment, runBun } from '../scripts/lib/bun.mjs'
import { inRoot } from '../scripts/lib/paths.mjs'

const options = [process.env.BUN_OPTIONS, `--config=${devNull}`].filter(Boolean).join(' ')
const env = { ...bunEnvironment(), BUN_OPTIONS: options }
process.exitCode = await runBun([inRoot('server', 'main.ts'), ...process.argv.slice(2)], { cwd: process.cwd(), env })
