import { ClientGone } from '#server/relay/client-gone.ts'

/** A body that is sent on while it comes. */
export interface Arriving {
  /** Its first piece; empty when there is none. */
  readonly first: Uint8Array
  /** Gives its pieces from the beginning, one a call; null when there are no more. */
  fromTheStart(): () => Promise<Uint8Array | null>
  /** Whether all that came is still there to be sent again. */
  isWhole(): boolean
}

/** The longest body that is kept for another try; of a longer one only a few pieces are in memory at a time. */
const keptBytesMax = 8 * 1024 * 1024

/** Reads the first piece. */
export async function arrivingPieces(reader: ReadableStreamDefaultReader<Uint8Array> | null): Promise<Arriving> {
  const pieces: Uint8Array[] = []
  let size = 0
  let dropped = 0
  let isDone = reader === null
  /** The read that is under way: a piece that arrives after a try has ended goes to the next try. */
  let reading: Promise<void> | null = null

  const readOn = async () => {
    const piece = await reader?.read().catch(() => {
      throw new ClientGone()
    })
    if (piece?.value) {
      pieces.push(piece.value)
      size += piece.value.byteLength
    }
    isDone = piece?.done ?? true
  }
  const more = (): Promise<void> => {
    reading ??= readOn().finally(() => {
      reading = null
    })
    return reading
  }
  const isWhole = () => dropped === 0
  if (!isDone) await more()
  return {
    first: pieces[0] ?? new Uint8Array(),
    isWhole,
    fromTheStart() {
      let at = 0
      return async () => {
        while (at - dropped >= pieces.length) {
          if (isDone) return null
          await more()
        }
        const piece = pieces[at - dropped] ?? null
        at += 1
        if (size > keptBytesMax) {
          pieces.splice(0, at - dropped)
          dropped = at
        }
        return piece
      }
    },
  }
}
