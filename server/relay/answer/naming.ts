import { remember } from '#server/lib/remember.ts'

/** Puts the name a client asked for in the place of the one its provider answers with, no other byte changed. */
export interface Naming {
  /** The provider has said which model it is. */
  learn(name: string | undefined): void
  renames(): boolean
  rename(text: string): string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Inside of a text the quotes would be escaped, so only fields match. */
const fieldNaming = remember(
  1000,
  (name: string) => new RegExp(`("model(?:Version)?"\\s*:\\s*)${escaped(JSON.stringify(name))}`, 'g'),
)

export function createNaming(model: string): Naming {
  let pattern: RegExp | null = null
  const own = JSON.stringify(model)
  return {
    learn(name) {
      if (name === undefined || name === '' || name === model || pattern) return
      pattern = fieldNaming(name)
    },
    renames: () => pattern !== null,
    rename: (text) => (pattern ? text.replace(pattern, (_, field: string) => field + own) : text),
  }
}
