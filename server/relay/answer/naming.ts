import { memoize } from '#server/lib/memoize.ts'

/** Replaces the provider's name of the model by the one the client asked for, and changes no other byte. */
export interface Naming {
  /** The provider has named the model. */
  learn(name: string | undefined): void
  /** It has not named it yet. */
  isOpen(): boolean
  renames(): boolean
  rename(text: string): string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Inside of a text the quotes would be escaped, so only fields match. */
const fieldNaming = memoize(
  1000,
  (name: string) => new RegExp(`("model(?:Version)?"\\s*:\\s*)${escaped(JSON.stringify(name))}`, 'g'),
)

/** The usual way to write it. */
const plainField = '"model":'

export function createNaming(model: string): Naming {
  let vendors: string | null = null
  let isOpen = true
  const own = JSON.stringify(model)
  return {
    learn(name) {
      if (!isOpen || name === undefined || name === '') return
      isOpen = false
      if (name !== model) vendors = name
    },
    isOpen: () => isOpen,
    renames: () => vendors !== null,
    rename: (text) => (vendors === null ? text : renamed(text, vendors, own)),
  }
}

/**
 * A text with the client's name of a model, as JSON, in the place of its vendor's. One that stands there once, where it usually does,
 * is replaced without looking at every other letter.
 */
export function renamed(text: string, vendors: string, own: string): string {
  const name = JSON.stringify(vendors)
  const at = onlyPlace(text, name)
  if (at >= 0) return text.slice(0, at) + own + text.slice(at + name.length)
  return text.includes(name) ? text.replace(fieldNaming(vendors), (_, field: string) => field + own) : text
}

/** The same for bytes, without copying them; null unless the name stands there exactly once, as a plain field. */
export function renamedOnce(bytes: Buffer, vendors: string, own: string): Uint8Array[] | null {
  const name = JSON.stringify(vendors)
  const at = onlyPlace(bytes, name)
  return at < 0 ? null : [bytes.subarray(0, at), Buffer.from(own), bytes.subarray(at + Buffer.byteLength(name))]
}

/** Where a name stands if it stands there once, as a field that is written as usual; -1 otherwise. */
function onlyPlace(whole: string | Buffer, name: string): number {
  const place = whole.indexOf(name)
  const field = place - plainField.length
  if (field < 0 || whole.indexOf(plainField, field) !== field) return -1
  return whole.indexOf(name, place + 1) < 0 ? place : -1
}
