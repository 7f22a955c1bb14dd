import { ownModelFields } from './own-model-fields.ts'

/** Replaces the provider's name of the model by the one the client asked for, and changes no other byte. */
export interface Naming {
  /** The provider has named the model. */
  learn(name: string | undefined): void
  /** It has not named it yet. */
  isOpen(): boolean
  renames(): boolean
  rename(text: string): string
}

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

/** A text with the client's name of a model, as JSON, in the place of its vendor's: where the answer itself says which model made it. */
export function renamed(text: string, vendors: string, own: string): string {
  const name = JSON.stringify(vendors)
  let done = ''
  let from = 0
  for (const at of ownModelFields(text, name)) {
    done += text.slice(from, at) + own
    from = at + name.length
  }
  return from === 0 ? text : done + text.slice(from)
}

/** The same for the bytes of a text, without copying them; null unless the name stands there exactly once. */
export function renamedOnce(
  { text, bytes }: { readonly text: string; readonly bytes: Buffer },
  vendors: string,
  own: string,
): Uint8Array[] | null {
  const name = JSON.stringify(vendors)
  const [place, ...more] = ownModelFields(text, name)
  if (place === undefined || more.length > 0) return null
  const at = Buffer.byteLength(text.slice(0, place))
  // Bytes that are no text stand in it as others.
  if (!bytes.subarray(at, at + Buffer.byteLength(name)).equals(Buffer.from(name))) return null
  return [bytes.subarray(0, at), Buffer.from(own), bytes.subarray(at + Buffer.byteLength(name))]
}
