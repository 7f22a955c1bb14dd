export interface DiffLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

const linesMax = 400

const pretty = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text
  } catch {
    return text.includes('\n') ? text : text.split(',').join(',\n')
  }
}

/** Two texts line by line: JSON by its lines, a comma list by its names. The longest common sequence stays. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, fresh] = [pretty(before), pretty(after)].map((text) => (text === '' ? [] : text.split('\n')))
  if (!old || !fresh) return []
  if (old.length > linesMax || fresh.length > linesMax) {
    return [
      ...old.map((text): DiffLine => ({ sign: '-', text })),
      ...fresh.map((text): DiffLine => ({ sign: '+', text })),
    ]
  }
  return walk(old, fresh, commonLengths(old, fresh))
}

/** How long the longest common sequence is from each pair of lines on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0))
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = fresh.length - 1; to >= 0; to--) {
      const row = lengths[at] as number[]
      const below = lengths[at + 1] as number[]
      row[to] = old[at] === fresh[to] ? (below[to + 1] ?? 0) + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0)
    }
  }
  return lengths
}

function walk(old: readonly string[], fresh: readonly string[], lengths: readonly number[][]): DiffLine[] {
  const lines: DiffLine[] = []
  let [at, to] = [0, 0]
  while (at < old.length || to < fresh.length) {
    if (at < old.length && old[at] === fresh[to]) {
      lines.push({ sign: ' ', text: old[at] ?? '' })
      at += 1
      to += 1
    } else if (
      at < old.length &&
      (to >= fresh.length || (lengths[at + 1]?.[to] ?? 0) >= (lengths[at]?.[to + 1] ?? 0))
    ) {
      lines.push({ sign: '-', text: old[at] ?? '' })
      at += 1
    } else {
      lines.push({ sign: '+', text: fresh[to] ?? '' })
      to += 1
    }
  }
  return lines
}
