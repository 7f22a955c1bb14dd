interface Failure {
  readonly file: string
  readonly line?: number
  readonly name: string | undefined
  readonly failure: string
}

export function commandFor(test: Omit<Failure, 'failure'>, flags: string): string

export function summarise(
  results: readonly {
    readonly title: string
    readonly flags: string
    readonly passed: number
    readonly failures: readonly Failure[]
    readonly late: readonly { file: string; name: string }[]
    readonly seconds: Readonly<Record<string, number>>
    readonly leftOut?: string
  }[],
): { text: string; passed: number; failed: number }
