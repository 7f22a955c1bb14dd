import { type Context, epochSeconds } from '#server/context.ts'
import { appendRefused, type RefusedRow } from '#server/db/logs/refused-rows.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import type { RefusalFacts, RefusalName, RefusedCaller } from '#server/relay/refusals.ts'

/** A request that was not let in. */
interface RefusedRequest {
  readonly id: string
  readonly caller: RefusedCaller
  readonly fault: ChatFault
  /** As it was asked for; '' where that is not known. */
  readonly model: string
}

/** Writes refused requests into the log, folded where there are many; never waits and never throws. */
export interface RefusedRequests {
  note(request: RefusedRequest): void
  /** Writes what is left. */
  stop(): Promise<void>
}

const ofModels: ReadonlySet<RefusalName> = new Set(['modelUnknown', 'modelForbidden', 'modelUnpriced'])

/** For lack of money, at a limit, or for a model nobody carries: refused by the relay itself, before anything was held. */
export const isNoted = ({ status }: ChatFault, { name, hasRow }: RefusalFacts): boolean =>
  !hasRow && name !== undefined && (status === 402 || status === 429 || ofModels.has(name))

const firstWriteMs = 500
const pauseMs = 2000
/** Beyond these, a user's refusals wait for the next minute. */
const rowsPerMinute = 60
/** Different models of one user that are kept apart at a time. */
const modelsMost = 10
/** Users and models that are remembered at a time; what comes beyond them is not kept. */
const pendingMost = 10_000
const modelMost = 100
const messageMost = 300

interface Pending extends RefusedRequest {
  readonly count: number
}

/** What one user has waiting, and the rows it was given in this minute. */
interface Waiting {
  readonly rows: Map<string, Pending>
  minute: number
  written: number
}

export function createRefusedRequests(ctx: Context): RefusedRequests {
  const users = new Map<number, Waiting>()
  let pending = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  let writing: Promise<void> | null = null
  let isStopped = false

  const add = (request: Pending): boolean => {
    const { userId, tokenId } = request.caller
    const waiting = users.get(userId) ?? { rows: new Map(), minute: 0, written: 0 }
    const key = `${tokenId} ${request.fault.code}`
    const named = `${key} ${request.model}`
    const name = waiting.rows.has(named) || waiting.rows.size < modelsMost ? named : key
    const known = waiting.rows.get(name)
    if (!known && pending >= pendingMost) return false
    if (!known) pending += 1
    const model = name === named ? request.model : ''
    waiting.rows.set(name, known ? { ...known, count: known.count + request.count } : { ...request, model })
    users.set(userId, waiting)
    return true
  }

  /** Takes what may be written now, or all of it. */
  const take = (minute: number, all: boolean): Pending[] => {
    const taken: Pending[] = []
    for (const waiting of users.values()) {
      if (waiting.minute !== minute) {
        waiting.minute = minute
        waiting.written = 0
      }
      for (const [key, row] of waiting.rows) {
        if (!all && waiting.written >= rowsPerMinute) break
        waiting.rows.delete(key)
        waiting.written += 1
        pending -= 1
        taken.push(row)
      }
    }
    return taken
  }

  const forgetQuiet = (minute: number) => {
    for (const [userId, { rows, minute: last }] of users) if (rows.size === 0 && last !== minute) users.delete(userId)
  }

  const write = async (all: boolean): Promise<void> => {
    const minute = Math.floor(ctx.clock() / 60_000)
    forgetQuiet(minute)
    const taken = take(minute, all)
    if (taken.length === 0) return
    try {
      const at = epochSeconds(ctx)
      await appendRefused(
        ctx.database.db,
        taken.map((row) => rowOf(row, at)),
        !ctx.options().LogConsumeEnabled,
      )
    } catch (cause) {
      ctx.log.error('refused requests were not logged', { cause })
      if (!all) for (const row of taken) add(row)
    }
  }

  const plan = (ms: number) => {
    if (timer || isStopped || pending === 0) return
    timer = setTimeout(() => {
      writing = write(false).finally(() => {
        timer = null
        writing = null
        plan(pauseMs)
      })
    }, ms)
  }

  return {
    note({ model, fault, ...request }) {
      if (isStopped) return
      const clipped = { ...fault, message: fault.message.slice(0, messageMost) }
      add({ ...request, fault: clipped, model: model.slice(0, modelMost), count: 1 })
      plan(firstWriteMs)
    },
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await writing
      await write(true)
    },
  }
}

const rowOf = ({ id, caller, fault, model, count }: Pending, at: number): RefusedRow => ({
  id,
  at,
  userId: caller.userId,
  username: caller.username,
  tokenId: caller.tokenId,
  tokenName: caller.tokenName,
  teamId: caller.teamId,
  group: caller.groups[0] ?? '',
  model,
  status: fault.status,
  code: String(fault.code ?? ''),
  message: fault.message,
  count,
})
