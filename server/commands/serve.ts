import { serveNode } from '#server/serve.ts'
import { needsSupervisor, supervise } from '#server/supervisor.ts'
import type { Command } from './command.ts'

export const serve: Command = {
  summary: 'Serve the relay and its console (the default)',
  run: (config) => (needsSupervisor(config) ? supervise(config) : serveNode(config)),
}
