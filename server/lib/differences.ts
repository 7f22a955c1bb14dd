const excerptMax = 300

const excerpt = (value: unknown): string => {
  const text = String(value)
  return text.length > excerptMax ? `${text.slice(0, excerptMax)}…` : text
}

/** `from "…" to "…"`, for log rows; long values are cut. */
export const fromTo = (before: unknown, after: unknown): string => `from "${excerpt(before)}" to "${excerpt(after)}"`

/** What changed between two rows, in words; empty when none of the fields did. */
export const differences = <Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
): string =>
  fields
    .filter((field) => before[field] !== after[field])
    .map((field) => `${field} ${fromTo(before[field], after[field])}`)
    .join(', ')
