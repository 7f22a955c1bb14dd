/** Asked before a page is left; answers whether that may happen now. */
type Keeper = (go: () => void) => boolean

let keeper: Keeper | null = null
let free = false

/** What is half filled in holds the page until the reader has decided. Returns how to let go. */
export function keepPage(asked: Keeper): () => void {
  keeper = asked
  return () => {
    if (keeper === asked) keeper = null
  }
}

export const mayLeave = (go: () => void): boolean => free || keeper === null || keeper(go)

/** Leaves without a question: what was typed has been saved, given up, or is nobody's any more. */
export function leaveFreely(go: () => unknown): void {
  free = true
  try {
    go()
  } finally {
    free = false
  }
}
