import { readFileSync } from 'node:fs'
import { runtimeSettings } from '#server/process/runtime-settings.mjs'

export interface Child {
  readonly pid: number
  readonly url: string
  /** Seconds of processor time used so far. */
  cpuSeconds(): number
  memoryMb(): number
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>
}

const ticksPerSecond = 100

/** Starts a script under this runtime and waits until it says on which port it serves. */
export async function startChild(
  script: string,
  args: string[] = [],
  env: Record<string, string | undefined> = {},
): Promise<Child> {
  const child = Bun.spawn([process.execPath, script, ...args], {
    env: { ...runtimeSettings, ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const port = await readPort(child.stdout)
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return child.exited
    },
  }
}

async function readPort(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the process ended before it served: ${text}`)
    text += decoder.decode(value)
    const port = /(?:port |localhost:|127\.0\.0\.1:)(\d+)/.exec(text)?.[1]
    if (port) {
      drain(reader)
      return port
    }
  }
}

/** Keeps the pipe empty, so that the child never waits for its own output. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
