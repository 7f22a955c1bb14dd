/** Rows of a page, and the numbers it stands for: all from behind the page before it up to its own last one. */
export interface PageRange<Row> {
  readonly rows: readonly Row[]
  readonly after: number
  readonly upTo: number
}

/** Pages with the numbers they stand for. The last one is empty, and stands for everything behind. */
export async function* stretches<Row extends { readonly id: number }>(
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<PageRange<Row>> {
  let after = 0
  for await (const rows of pages) {
    const upTo = rows.at(-1)?.id ?? after
    yield { rows, after, upTo }
    after = upTo
  }
  yield { rows: [], after, upTo: Number.MAX_SAFE_INTEGER }
}
