import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP']
const parent = process.ppid
const lookEveryMs = 500

/** npm runs us in a shell that keeps a signal to itself and goes; being left behind is then the signal. */
function whenLeftBehind(act) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, lookEveryMs)
  return timer
}

/**
 * Runs a program in the project's folder, passes signals on to it, and answers its exit code. With `read`, what it prints
 * goes there instead of to the terminal.
 */
export function run(program, args, { read, ...options } = {}) {
  const child = spawn(program, args, { cwd: root, stdio: read ? ['ignore', 'pipe', 'pipe'] : 'inherit', ...options })
  for (const stream of read ? [child.stdout, child.stderr] : []) stream.setEncoding('utf8').on('data', read)
  const pass = (signal) => child.kill(signal)
  for (const signal of passedOn) process.on(signal, pass)
  const watch = whenLeftBehind(() => pass('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      for (const name of passedOn) process.off(name, pass)
      clearInterval(watch)
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
