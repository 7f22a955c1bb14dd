import { createSlots } from './slots.ts'

const slot = createSlots(1)

/** Long enough for several steps of others. */
const pauseMs = 25

/** Work that takes long at a stretch. No two pieces of it follow each other before others have gone on. */
export const inTurn = <Result>(work: () => Result): Promise<Result> =>
  slot(async () => {
    const result = work()
    await Bun.sleep(pauseMs)
    return result
  })
