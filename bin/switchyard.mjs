#!/usr/bin/env node
/**
 * What `npx switchyard` runs: the program on the Bun that was installed with it, in the caller's folder. Settings of the runtime
 * that lie there, like `preload`, and variables in an `.env` are somebody else's; beside our own package.json they are ours.
 */
import { devNull } from 'node:os'
import { bunEnvironment, runBun } from '../scripts/lib/bun.mjs'
import { inRoot, root } from '../scripts/lib/paths.mjs'

const folder = process.cwd()
const variables = folder === root ? [] : ['--no-env-file']
const options = [process.env.BUN_OPTIONS, `--config=${devNull}`, ...variables].filter(Boolean).join(' ')
const env = { ...bunEnvironment(), BUN_OPTIONS: options }
process.exitCode = await runBun([inRoot('server', 'main.ts'), ...process.argv.slice(2)], { cwd: folder, env })
