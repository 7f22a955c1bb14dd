import { objectOf } from '#server/lib/json.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Holder } from '#server/relay/state/resolve-state.ts'
import { mine } from '#server/relay/stored/held-by-vendor.ts'

/** Every field of a body with its value, nested ones under names as forms write them: `a[b]`. */
function* fieldsOf(value: unknown, name = ''): Generator<readonly [name: string, value: unknown]> {
  if (Array.isArray(value)) for (const entry of value) yield* fieldsOf(entry, name)
  const object = objectOf(value)
  if (!object) return void (yield [name, value])
  for (const [key, inner] of Object.entries(object)) yield* fieldsOf(inner, name === '' ? key : `${name}[${key}]`)
}

const namesFile = /(?:^|\[)file_id\]?$/
/** Fields that name videos or characters, which may be other users'. Users remix their own videos by another route. */
const namesOthers = /video|character/i

/** A file it is made of must be its caller's; answers who keeps it. */
export async function holderOfReferences(
  context: RelayContext,
  caller: Caller,
  { payload }: Ask,
): Promise<Holder | null> {
  const fields = payload.kind === 'json' ? [...fieldsOf(payload.body)] : [...payload.form]
  let holder: Holder | null = null
  for (const [name, value] of fields) {
    if (namesOthers.test(name))
      throw refuse('stateUnknown', { param: name.slice(0, 60), id: String(value).slice(0, 60) })
    if (!namesFile.test(name) || typeof value !== 'string') continue
    const { channel_id: channelId, key_hash: keyHash } = await mine(context, caller, 'file', value)
    if (holder && (holder.channelId !== channelId || holder.keyHash !== keyHash)) throw refuse('stateApart')
    holder = { channelId, keyHash }
  }
  return holder
}
