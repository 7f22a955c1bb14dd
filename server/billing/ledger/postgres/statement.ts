/** A part of a statement. Its parameters are numbered from `first` on when the statement is put together. */
export interface Part {
  /** The same for all parts that differ in their values alone. */
  readonly name: string
  readonly text: (first: number) => string
  readonly values: readonly unknown[]
}

/** Rows that must be as they are remembered. */
export interface Proof extends Part {
  /** The last value: the expected content of each row, one text a row. */
  readonly values: readonly [...unknown[], readonly string[]]
}

/** All of a batch that was decided by what is remembered. */
export interface DecidedBatch {
  readonly proofs: readonly Proof[]
  /** Further conditions the statement checks. */
  readonly conditions: readonly Part[]
  readonly writes: readonly Part[]
}

export interface SqlStatement {
  readonly text: string
  readonly values: unknown[]
}

const texts = new Map<string, string>()

/** Milliseconds by the database's clock. */
export const clockMs = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as clock'

/**
 * Everything a batch proves and writes as one statement, which is a transaction of its own: one way to the database and back, and
 * nothing stays locked should this node stand still. What `with` names is written whatever the last line reads; that line divides by
 * zero when a row is not as expected, which undoes all of it. Rows are locked by the proofs, in their order, before anything is written.
 */
export function oneStatement(batch: DecidedBatch): SqlStatement {
  const { proofs, conditions, writes } = batch
  const values = [...proofs, ...conditions, ...writes].flatMap((part) => part.values)
  const key = [proofs, conditions, writes].map((parts) => parts.map(({ name }) => name).join()).join(' ')
  const text = texts.get(key) ?? compose(batch)
  texts.set(key, text)
  return { text, values }
}

function compose({ proofs, conditions: more, writes }: DecidedBatch): string {
  const named: string[] = []
  const conditions: string[] = []
  let first = 1
  for (const [at, proof] of proofs.entries()) {
    const expected = `$${first + proof.values.length - 1}::text[]`
    named.push(`proof_${at} as materialized (${proof.text(first)})`)
    conditions.push(`(select count(*) from proof_${at} where state = any(${expected})) = cardinality(${expected})`)
    first += proof.values.length
  }
  for (const condition of more) {
    conditions.push(condition.text(first))
    first += condition.values.length
  }
  for (const [at, write] of writes.entries()) {
    named.push(`write_${at} as (${write.text(first)})`)
    first += write.values.length
  }
  return `with ${named.join(',\n')}\nselect 1 / (${conditions.join(' and ')})::int as holds, ${clockMs}`
}

/** Division by zero: nothing else ends a statement of ours by an expression. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '22012'
