import type { LogEvent } from '#shared/log-events.ts'

const excerptMax = 300

const excerpt = (text: string): string => (text.length > excerptMax ? `${text.slice(0, excerptMax)}…` : text)

/** Two values for log rows; long ones are cut. */
export const fromTo = (before: unknown, after: unknown) => ({
  from: excerpt(String(before)),
  to: excerpt(String(after)),
})

/** What changed between two rows, as parts of an event; `shown` takes out what nobody may read. */
export const changedFields = <Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
  shown: (text: string) => string = (text) => text,
): LogEvent[] =>
  fields
    .filter((field) => before[field] !== after[field])
    .map((field) => {
      const values = fromTo(shown(String(before[field])), shown(String(after[field])))
      return { code: 'part.field', values: { field, ...values } }
    })
