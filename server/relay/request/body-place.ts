import type { Settlement } from '#server/billing/ledger/ledger.ts'
import { type BodyPlaces, longBytes } from './body-places.ts'

/** Memory as large as this is not left to when the runtime finds time for it. */
const hugeBytes = 8 * 1024 * 1024

/**
 * What the body of one request takes of its node, from before its first byte until its request has ended. A class, because one is made
 * for every request: its methods are made once.
 */
export class BodyPlace {
  /** Closes the hold by which its call was counted before its body was read. */
  earlyHold: Settlement | null = null
  /** What is done before a body that declared no length becomes a long one. */
  beforeLong: (() => Promise<void>) | null = null
  /** Whether its call has been counted as a request. */
  isCounted = false
  private readonly places: BodyPlaces
  private account: number | null = null
  private taken = 0
  private isLong = false
  private isUnanswered = false
  private isKept = false

  constructor(places: BodyPlaces) {
    this.places = places
  }

  /** Whose body it is; a long one is not read before that is known. */
  belongsTo(account: number): void {
    this.account = account
  }

  /** How many bytes it may have. */
  bytes(): number {
    return this.taken
  }

  /** Waits until a body of this size may be read; a place that was taken before is changed for this one. */
  async take(bytes: number, gone: AbortSignal): Promise<void> {
    if (bytes > longBytes && this.account === null) throw new Error('a long body needs an account')
    if (bytes <= this.taken) return
    if (this.isLong) throw new Error('a long body takes all it may need at once')
    const before = this.taken
    const isLong = bytes > longBytes
    if (isLong && this.beforeLong) await this.beforeLong()
    await this.places.take({ account: isLong ? this.account : null, bytes }, gone)
    if (before > 0) this.places.giveBack({ account: null, bytes: before })
    this.taken = bytes
    this.isLong = isLong
    this.isUnanswered = isLong
  }

  /** The body is no longer than this. */
  shrink(bytes: number): void {
    const fewer = this.taken - bytes
    if (fewer <= 0) return
    this.taken = bytes
    this.places.giveBack({ account: this.isLong ? this.account : null, bytes: fewer })
  }

  /** A long body stays in memory behind the beginning of its answer: its bytes are taken until `free` is called. */
  keep(): void {
    this.isKept = this.isLong
  }

  /** The request was refused, or its answer has begun. */
  answered(): void {
    if (this.isUnanswered && this.account !== null) this.places.answered(this.account)
    this.isUnanswered = false
    if (!this.isKept) this.free()
  }

  free(): void {
    if (this.taken > hugeBytes) setImmediate(() => Bun.gc(true))
    this.isKept = false
    this.shrink(0)
    if (this.isUnanswered) this.answered()
  }
}
