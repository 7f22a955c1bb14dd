import { isPromptUnseen } from '#server/relay/metering/read-to-end.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import type { Ender } from './ender.ts'

/** The client that reads an answer: reading, paused, or gone. */
export interface Reader {
  hasLeft(): boolean
  /** Watches for its leaving from now on; calls `leaves` at once when it has left already. */
  watch(): void
  /** It reads more. */
  begins(): void
  /** It has received everything so far and does not read at the moment. */
  rests(): void
  leaves(): void
  /** Waits until it has room again or is gone; one that takes too long counts as gone. */
  catchesUp(room: Promise<unknown>): Promise<void>
}

interface Answering {
  /** Carries the answer on without its client. */
  readOn(): Promise<unknown>
  /** Whether the size of the prompt has been reported. */
  isPromptKnown(): boolean
}

/** When the client leaves, the answer is ended, or read to its end where only the end reports what it used. */
export function createReader(
  context: RelayContext,
  request: RelayedRequest,
  ender: Ender,
  { readOn, isPromptKnown }: Answering,
): Reader {
  const { ctx, pendingSettlements } = context
  const gone = request.inbound.http.signal
  const idleMs = ctx.config.CLIENT_IDLE_TIMEOUT * 1000
  const left = Promise.withResolvers<void>()
  let hasLeft = false
  let hasBegun = false
  let resting: ReturnType<typeof setTimeout> | null = null

  const end = () =>
    ender
      .end('cut')
      .catch((cause) => ctx.log.error('a cut answer could not be settled', { request: request.id, cause }))

  const readToEnd = async (): Promise<void> => {
    const giveUp = setTimeout(end, ctx.config.ABANDONED_TIMEOUT * 1000)
    if (!hasBegun || resting) await readOn()
    await ender.ended
    clearTimeout(giveUp)
  }
  const leaves = () => {
    if (hasLeft || ender.over()) return
    hasLeft = true
    left.resolve()
    const hidesPrompt = isPromptUnseen(request.measured) && !isPromptKnown()
    if (request.delivery?.readToEnd || hidesPrompt) pendingSettlements.add(readToEnd())
    else void end()
    stopResting()
  }
  const stopResting = () => {
    if (resting) clearTimeout(resting)
    resting = null
  }
  return {
    hasLeft: () => hasLeft,
    watch() {
      gone.addEventListener('abort', leaves, { once: true })
      if (gone.aborted) leaves()
    },
    begins() {
      hasBegun = true
      stopResting()
    },
    rests() {
      if (!ender.over()) resting = setTimeout(leaves, idleMs)
    },
    leaves,
    async catchesUp(room) {
      const late = setTimeout(leaves, idleMs)
      await Promise.race([room, left.promise])
      clearTimeout(late)
    },
  }
}
