import { needsSupervisor, supervise } from '#server/process/supervisor.ts'
import type { Command } from './command.ts'

export const serve: Command = {
  summary: 'Serve the relay and its console (the default)',
  help: 'Everything is set by environment variables; docs/configuration.md lists them. SIGTERM ends it when what runs is done.',
  async run(config) {
    outliveReaders()
    if (needsSupervisor(config)) return supervise(config)
    // Loaded only here, so that the process above this one and the other commands start faster.
    const { serveNode } = await import('#server/process/serve.ts')
    return serveNode(config)
  },
}

/** Whoever reads what is printed may end, or the disk it goes to be full: what is served goes on, and is settled. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
