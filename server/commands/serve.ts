import { serveNode } from '#server/serve.ts'
import { needsSupervisor, supervise } from '#server/supervisor.ts'
import type { Command } from './command.ts'

export const serve: Command = {
  summary: 'Serve the relay and its console (the default)',
  help: 'Everything is set by environment variables; docs/configuration.md lists them. SIGTERM ends it when what runs is done.',
  run: (config) => (needsSupervisor(config) ? supervise(config) : serveNode(config)),
}
