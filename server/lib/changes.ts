export const changeTopics = ['options', 'channels', 'keys', 'user', 'token', 'team', 'everything'] as const

/** What changed, so that caches can drop it: one topic, and the id of the thing where it matters. */
export interface Change {
  readonly topic: (typeof changeTopics)[number]
  readonly id?: number
}

export type ChangeListener = (change: Change) => void

/** Notifications of changes, within this process and to the other nodes. */
export interface ChangeFeed {
  /** Calls the listeners of this process at once. Other nodes are notified through the database. */
  emit(change: Change): void
  listen(listener: ChangeListener): () => void
  /** False when notifications may have been missed: caches are not used then. */
  isCurrent(): boolean
  /** Nothing was missed until now; after `forMs` it may have been, unless this is called again; 0: from now on. */
  renew(forMs: number): void
}

export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<ChangeListener>()
  /** Without other nodes nothing can be missed. */
  let currentUntil = Number.POSITIVE_INFINITY
  return {
    emit(change) {
      for (const listener of listeners) listener(change)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isCurrent: () => performance.now() < currentUntil,
    renew(forMs) {
      currentUntil = performance.now() + forMs
    },
  }
}
