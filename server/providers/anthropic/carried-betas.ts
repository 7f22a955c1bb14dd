/** Betas that clouds which sell Claude know as well; they refuse a request that names another. */
const known: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
])

/** Of the betas a client names, those that a cloud takes. */
export const carriedBetas = (header: string | undefined): string[] =>
  [...new Set((header ?? '').split(',').map((name) => name.trim()))].filter((name) => known.has(name))
