import { readFileSync } from 'node:fs'

const tickMs = 10

/**
 * How long the main thread of a process has worked so far, in milliseconds. While somebody waits for an answer it is how long he was kept
 * waiting, whatever other programs do on the machine.
 */
export function mainThreadMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  // The name of the program may hold anything, so the fields are counted from behind it.
  const [, , , , , , , , , , , user, system] = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
  return (Number(user) + Number(system)) * tickMs
}
