import { Refusal } from '#server/process/refusal.ts'
import type { Command } from './command.ts'

const timeoutMs = 5000
const everywhere = ['0.0.0.0', '::']

export const health: Command = {
  summary: 'Ask the server on this machine whether it lives, for health checks of containers',
  async run({ HOST, PORT }) {
    const host = everywhere.includes(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
    const url = `http://${host}:${PORT}/healthz`
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null)
    if (!answer?.ok) throw new Refusal(`${url} ${answer ? `answers ${answer.status}` : 'does not answer'}.`)
    console.log('alive')
    return 0
  },
}
