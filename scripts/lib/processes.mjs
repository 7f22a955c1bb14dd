import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program in the project's folder, passes signals on to it, and answers its exit code. With `read`, what it prints
 * goes there instead of to the terminal.
 */
export function run(program, args, { read, ...options } = {}) {
  const child = spawn(program, args, { cwd: root, stdio: read ? ['ignore', 'pipe', 'pipe'] : 'inherit', ...options })
  for (const stream of read ? [child.stdout, child.stderr] : []) stream.setEncoding('utf8').on('data', read)
  const pass = (signal) => child.kill(signal)
  for (const signal of passedOn) process.on(signal, pass)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      for (const name of passedOn) process.off(name, pass)
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}

/** Runs npm by the copy that started us, so that it works where `npm` is a shell script. */
export function npm(args, options = {}) {
  const self = process.env.npm_execpath
  if (self?.endsWith('.js')) return run(process.execPath, [self, ...args], options)
  return run('npm', args, { shell: process.platform === 'win32', ...options })
}

/** Ends the script with a sentence instead of a stack. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
