import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Holder } from '#server/relay/state/resolve-state.ts'
import { holderOfAll } from '#server/relay/stored/held-by-vendor.ts'
import { filesMost } from './video-facts.ts'

const namesFile = /(?:^|\[)file_id\]?$/
/** Fields that name videos or characters, which may be other users'. Users remix their own videos by another route. */
const namesOthers = /video|character/i

const refuseOthers = (name: string, value: unknown) =>
  refuse('stateUnknown', { param: name.slice(0, 60), id: String(value).slice(0, 60) })

/** Adds the files that a field of a body names, itself or inside; `others` is its name, or one around it, if that names others' things. */
function addFiles(name: string, value: unknown, others: string | null, found: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) addFiles(name, entry, others, found)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      addFiles(key, inner, others ?? (namesOthers.test(key) ? key : null), found)
  else if (others !== null) throw refuseOthers(others, value)
  else if (name === 'file_id' && typeof value === 'string') found.add(value)
}

function addFormFiles(form: FormData, found: Set<string>): void {
  for (const [name, value] of form) {
    if (namesOthers.test(name)) throw refuseOthers(name, value)
    if (namesFile.test(name) && typeof value === 'string') found.add(value)
  }
}

/** A file it is made of must be its caller's; answers who keeps it. */
export async function holderOfReferences(
  context: RelayContext,
  caller: Caller,
  { payload }: Ask,
): Promise<Holder | null> {
  const ids = new Set<string>()
  if (payload.kind === 'json') addFiles('', payload.body, null, ids)
  else addFormFiles(payload.form, ids)
  if (ids.size === 0) return null
  if (ids.size > filesMost) throw refuse('tooManyIds', { most: filesMost })
  await requirePurse(context, caller)
  return holderOfAll(context, caller, 'file', ids)
}
