/** The pages visited last in this window, the newest first; the one that is shown is not among them. */
let visited: readonly string[] = []

const kept = 4

export function visit(path: string): void {
  visited = [path, ...visited.filter((known) => known !== path)].slice(0, kept)
}

export const recentPaths = (): readonly string[] => visited.slice(1)
