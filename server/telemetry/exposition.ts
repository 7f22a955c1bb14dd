/** The Prometheus text format, written by hand: three kinds of metric and labels are all it takes. */
export type Labels = Readonly<Record<string, string | number>>

export interface Sample {
  readonly labels?: Labels
  readonly value: number
}

export interface Exposition {
  counter(name: string, help: string, samples: Iterable<Sample>): void
  gauge(name: string, help: string, samples: Iterable<Sample>): void
  histogram(name: string, help: string, samples: Iterable<{ labels?: Labels; of: Histogram }>): void
  text(): string
}

/** Counts of observations by size. */
export interface Histogram {
  readonly bounds: readonly number[]
  /** One more than there are bounds: the last counts what is above all of them. */
  readonly counts: number[]
  sum: number
}

export const newHistogram = (bounds: readonly number[]): Histogram => ({
  bounds,
  counts: new Array(bounds.length + 1).fill(0),
  sum: 0,
})

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram
  let at = 0
  while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1
  counts[at] = (counts[at] ?? 0) + 1
  histogram.sum += value
}

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const quote = (value: string | number): string =>
  `"${String(value).replace(/[\\"\n]/g, (sign) => escapes[sign] ?? '')}"`

/** A page on which every sample carries the same labels besides its own. */
export function createExposition(common: Labels = {}): Exposition {
  const lines: string[] = []
  const head = (name: string, help: string, type: string) =>
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
  const line = (name: string, labels: Labels, value: number) => {
    const pairs = Object.entries({ ...common, ...labels }).map(([key, text]) => `${key}=${quote(text)}`)
    lines.push(`${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`)
  }
  const plain = (type: string) => (name: string, help: string, samples: Iterable<Sample>) => {
    head(name, help, type)
    for (const { labels = {}, value } of samples) line(name, labels, value)
  }
  return {
    counter: plain('counter'),
    gauge: plain('gauge'),
    histogram(name, help, samples) {
      head(name, help, 'histogram')
      for (const { labels = {}, of } of samples) {
        let total = 0
        for (const [at, count] of of.counts.entries()) {
          total += count
          line(`${name}_bucket`, { ...labels, le: of.bounds[at] ?? '+Inf' }, total)
        }
        line(`${name}_sum`, labels, of.sum)
        line(`${name}_count`, labels, total)
      }
    },
    text: () => `${lines.join('\n')}\n`,
  }
}
