import { ClientGone } from '#server/relay/client-gone.ts'
import { RelayFault, refusal } from '#server/relay/refusals.ts'

const megabyte = 1024 * 1024

/** Bodies above this size are long. */
export const longBytes = megabyte

/** All bodies of a node at one time. Neither long nor short ones take all of it: each kind leaves room for the largest of the other. */
const nodeBytesMax = 256 * megabyte
const kindBytesMax = 192 * megabyte
/** Of one account, all its tokens together: long bodies that are not answered yet, and the bytes of all its long bodies. */
const accountLongMax = 2
const accountBytesMax = 128 * megabyte

const waitSeconds = 10

interface Account {
  unanswered: number
  bytes: number
}

/** A body that wants to be read. */
export interface BodyWish {
  /** Whose long body it is; null for a short one. */
  readonly account: number | null
  readonly bytes: number
}

interface Waiting extends BodyWish {
  readonly admit: () => void
}

/** The places of the bodies that are on this node at one time. */
export interface BodyPlaces {
  /** Waits for a place, ten seconds at most. Who comes later and fits is not kept behind who does not. */
  take(wanted: BodyWish, gone: AbortSignal): Promise<void>
  /** So many bytes of a place are free again. */
  giveBack(bytes: BodyWish): void
  /** The answer has begun: the account may send another long body. */
  answered(account: number): void
  /** What is taken now. */
  taken(): { readonly bytes: number; readonly accounts: number; readonly waiting: number }
}

export function createBodyPlaces(waitMs = waitSeconds * 1000): BodyPlaces {
  let bytes = 0
  let bytesOfLong = 0
  const accounts = new Map<number, Account>()
  const waiting = new Set<Waiting>()

  const hasAccountRoom = (wanted: BodyWish): boolean => {
    const known = wanted.account === null ? undefined : accounts.get(wanted.account)
    return !known || (known.unanswered < accountLongMax && known.bytes + wanted.bytes <= accountBytesMax)
  }
  const hasRoom = (wanted: BodyWish): boolean => {
    const ofKind = wanted.account === null ? bytes - bytesOfLong : bytesOfLong
    if (bytes + wanted.bytes > nodeBytesMax || ofKind + wanted.bytes > kindBytesMax) return false
    return hasAccountRoom(wanted)
  }
  const count = ({ account, bytes: more }: BodyWish, unanswered: number) => {
    bytes += more
    if (account === null) return
    bytesOfLong += more
    const before = accounts.get(account) ?? { unanswered: 0, bytes: 0 }
    const after = { unanswered: before.unanswered + unanswered, bytes: before.bytes + more }
    if (after.unanswered === 0 && after.bytes === 0) accounts.delete(account)
    else accounts.set(account, after)
  }
  const admitWaiting = () => {
    for (const one of waiting) {
      if (!hasRoom(one)) continue
      waiting.delete(one)
      count(one, 1)
      one.admit()
    }
  }
  const wait = (wanted: BodyWish, gone: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const over = (end: () => void) => {
        waiting.delete(one)
        clearTimeout(late)
        gone.removeEventListener('abort', leave)
        end()
      }
      const one: Waiting = { ...wanted, admit: () => over(resolve) }
      const leave = () => over(() => reject(new ClientGone()))
      const late = setTimeout(() => over(() => reject(noPlace(!hasAccountRoom(wanted)))), waitMs)
      waiting.add(one)
      gone.addEventListener('abort', leave)
      if (gone.aborted) leave()
    })

  return {
    async take(wanted, gone) {
      if (!hasRoom(wanted)) return await wait(wanted, gone)
      count(wanted, 1)
    },
    giveBack({ account, bytes: fewer }) {
      count({ account, bytes: -fewer }, 0)
      admitWaiting()
    },
    answered(account) {
      count({ account, bytes: 0 }, -1)
      admitWaiting()
    },
    taken: () => ({ bytes, accounts: accounts.size, waiting: waiting.size }),
  }
}

function noPlace(isOfAccount: boolean): RelayFault {
  const name = isOfAccount ? 'longBodies' : 'bodiesFull'
  return new RelayFault(refusal(name, { most: accountLongMax }), String(waitSeconds), {}, { name })
}
