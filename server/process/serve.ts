import { createApp } from '#server/app.ts'
import type { Context } from '#server/context.ts'
import { servingTimeouts } from '#server/db/database.ts'
import { startingPace } from '#server/db/usage/fold.ts'
import { type HttpServer, listen, type Serve } from '#server/http/listen.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { jobs } from '#server/jobs/jobs.ts'
import { endLease, renewLease } from '#server/jobs/keep-lease.ts'
import { proveBalances } from '#server/jobs/prove-balances.ts'
import { startJobs } from '#server/jobs/schedule.ts'
import { sweepHolds } from '#server/jobs/sweep-holds.ts'
import { warnOfClock } from '#server/jobs/warn-of-clock.ts'
import { joinNodes } from '#server/nodes/join.ts'
import { claimSqliteFile } from '#server/nodes/sole-owner.ts'
import type { Config } from './config.ts'
import { createContext } from './create-context.ts'
import { ensureRoot, takeFirstLogin } from './first-start.ts'
import { rememberOldGifts } from './remember-old-gifts.ts'
import { listening, requireAddress } from './require-address.ts'
import { loadSecretKey } from './secret-key.ts'
import { announces, reportReady } from './supervisor.ts'

const graceMs = 30_000

/** One node from start to stop. Resolves with the exit code after a signal has been obeyed. */
export async function serveNode(config: Config): Promise<number> {
  const stopped = stopSignal()
  const disown = claimSqliteFile(config)
  // Several processes share the port, and connections made during this check would be lost.
  if (config.WORKERS === 1) requireAddress(config)
  const ctx = await createContext(config, await loadSecretKey(config), { timeouts: servingTimeouts })
  await ensureRoot(ctx)
  await rememberOldGifts(ctx)
  await renewLease(ctx)
  await sweepHolds(ctx)
  await foldLogs(ctx, startingPace)
  await warnOfClock(ctx)
  const nodes = await joinNodes(ctx)
  const app = createApp(ctx)
  const leaving = { now: false }
  const serve: Serve = (request, connection) =>
    leaving.now ? askToClose(app.fetch(request, connection)) : app.fetch(request, connection)
  const server = listening(config, () =>
    listen(serve, { port: config.PORT, hostname: config.HOST, reusePort: config.WORKERS > 1 }),
  )
  const running = startJobs(ctx, [...jobs, ...app.jobs], nodes.isLeader)
  if (nodes.isLeader())
    proveBalances(ctx).catch((cause) => ctx.log.error('the balances could not be proven', { cause }))
  reportReady(() => process.emit('SIGTERM', 'SIGTERM'))
  if (announces()) announce(config, server, await takeFirstLogin(ctx))
  ctx.log.info('serving', { port: server.port, node: ctx.nodeId, version: ctx.version, database: ctx.database.engine })

  const signal = await stopped
  const deadline = performance.now() + graceMs
  ctx.log.info('stopping', { signal, requests: server.pendingRequests })
  leaving.now = true
  app.leave()
  await finishRequests(server, deadline)
  await running.stop()
  await app.stop(deadline - performance.now())
  await nodes.leave()
  await close(ctx)
  disown()
  return 0
}

/** Later signals are received and change nothing: what runs is finished. */
const stopSignal = () =>
  new Promise<NodeJS.Signals>((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })

function announce(config: Config, server: HttpServer, firstLogin: string | null): void {
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? 'localhost' : config.HOST
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`
  console.log(
    `Switchyard serves on ${address}${firstLogin === null ? '' : `\nFirst login: ${address}/login, ${firstLogin}`}`,
  )
}

/** Asks clients not to reuse this connection: closing it from here could cut a request. */
async function askToClose(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer
  response.headers.set('connection', 'close')
  return response
}

/** Connections count as quiet after this many looks without a request. */
const quietLooks = 5

/** How long answers ask clients to close connections that are kept alive. */
const closingMs = 500

const isBusy = ({ pendingRequests, pendingWebSockets }: HttpServer): boolean => pendingRequests + pendingWebSockets > 0

async function finishRequests(server: HttpServer, deadline: number): Promise<void> {
  await Bun.sleep(closingMs)
  const stopped = server.stop()
  for (let quiet = 0; quiet < quietLooks && performance.now() < deadline; quiet = isBusy(server) ? 0 : quiet + 1) {
    await Bun.sleep(50)
  }
  await server.stop(true)
  await stopped
}

async function close(ctx: Context): Promise<void> {
  await ctx.ledger.drain()
  await endLease(ctx).catch(() => {})
  await ctx.database.close()
}
