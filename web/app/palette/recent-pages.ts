import { readStored, store } from '#web/lib/storage.ts'

const kept = 6

export function visit(path: string): void {
  const others = (readStored('recent_pages') ?? []).filter((known) => known !== path)
  store('recent_pages', [path, ...others].slice(0, kept))
}

/** The pages visited last in this browser, the newest first; the one that is shown is not among them. */
export const recentPaths = (): readonly string[] => (readStored('recent_pages') ?? []).slice(1)
