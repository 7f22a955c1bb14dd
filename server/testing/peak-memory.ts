import { readFileSync, writeFileSync } from 'node:fs'

/** The most memory a process has taken since `resetPeak`, in megabytes. */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
