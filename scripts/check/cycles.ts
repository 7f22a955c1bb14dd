import type { Modules } from './modules.ts'

/** The first chain of imports, types included, that leads back to where it began, or null. */
export function findCycle({ files, imports }: Modules): string[] | null {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return null
    path.push(file)
    for (const to of next.get(file) ?? []) {
      const cycle = visit(to)
      if (cycle) return cycle
    }
    path.pop()
    done.add(file)
    return null
  }
  for (const file of files) {
    const cycle = visit(file)
    if (cycle) return cycle
  }
  return null
}
