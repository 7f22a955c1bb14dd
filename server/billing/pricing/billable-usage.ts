/** Tokens in the inclusive convention: `input` contains every other input class, `output` every other output class. */
export interface BillableUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  /** Sound read from a cache; not contained in `cacheRead`. */
  readonly audioCacheRead?: number
  readonly cacheWrite?: number
  /** Written to a cache that lives an hour; not contained in `cacheWrite`. */
  readonly cacheWriteLong?: number
  readonly audioInput?: number
  readonly audioOutput?: number
  readonly imageInput?: number
  readonly imageOutput?: number
  readonly reasoning?: number
  /** What the vendor says the answer cost, in dollars; not a number when it says nonsense. */
  readonly reportedUsd?: number
  /** How it was served, where the vendor says; `standard` is the list price. */
  readonly tier?: 'priority' | 'flex' | 'fast' | 'ultrafast' | 'standard'
  readonly insideUs?: boolean
  /** Calls of tools that ran at the vendor. */
  readonly webSearch?: number
  readonly fileSearch?: number
  readonly codeSession?: number
}
