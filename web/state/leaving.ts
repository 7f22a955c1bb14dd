/** Asked before a page is left, or because its session has ended in another tab; answers whether that may happen now. */
type Keeper = (go: () => void, why: 'left' | 'ended') => boolean

let keeper: Keeper | null = null
let free = false

/** Holds the page while a form is half filled in, until the reader has decided. Returns a function that lets go. */
export function keepPage(asked: Keeper): () => void {
  keeper = asked
  return () => {
    if (keeper === asked) keeper = null
  }
}

export const mayLeave = (go: () => void): boolean => free || keeper === null || keeper(go, 'left')

/** Whether the page may go with a session that ended in another tab: there a reader can log in again, and save here. */
export const mayEnd = (go: () => void): boolean => keeper === null || keeper(go, 'ended')

/** Leaves without a question, for input that was saved, given up, or belongs to an ended session. */
export function leaveFreely(go: () => unknown): void {
  free = true
  try {
    go()
  } finally {
    free = false
  }
}
