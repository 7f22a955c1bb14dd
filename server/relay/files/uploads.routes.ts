import { type JsonObject, objectOf } from '#server/lib/json.ts'
import { show } from '#server/relay/lookups/show.ts'
import { refuse, refuseSize } from '#server/relay/refusals.ts'
import { readJsonObject } from '#server/relay/request/ask.ts'
import { readText } from '#server/relay/request/body.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { admitBody, admitPaying } from '#server/relay/settlement/admit-body.ts'
import { requireRoom } from '#server/relay/state/room.ts'
import { askKeeper, askStore, keeperOf, mine } from '#server/relay/stored/held-by-vendor.ts'
import { storedCall } from '#server/relay/upstream/stored-call.ts'
import { madeIn, named } from '#server/relay/upstream/vendor-thing.ts'
import { withKeys } from '#server/relay/upstream/with-keys.ts'
import { beginUpload, carryUpload, uploadBytesMax } from './carry-upload.ts'
import { fileDays, heldIn, keeperFor, keepThing, keptBy } from './file-store.ts'

/** An upload in parts is over after an hour, whatever became of it. */
const uploadDays = 1

const create: RelayRoute['serve'] = async (context, inbound) => {
  const caller = await context.callers.identify(inbound)
  await admitPaying(context, inbound, caller)
  await requireRoom(context, caller.userId, 'upload')
  await requireRoom(context, caller.userId, 'file')
  const body = readJsonObject(await readText(inbound))
  if (typeof body.bytes !== 'number') throw refuse('badLimit', { param: 'bytes' })
  if (body.bytes > uploadBytesMax) throw refuseSize(uploadBytesMax)
  const question = { method: 'POST', path: '/uploads', body } as const
  const keeper = await keeperFor(context, caller, 'openai-files')
  const { channel, answer } = await withKeys(context, keeper, (each) => askStore(context, inbound, each, question))
  const made = named(answer)
  await keepThing(context, heldIn(context, caller.userId, channel), { kind: 'upload', thing: made, days: uploadDays })
  return show(made)
}

const addPart: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'upload', id)
  const channel = await keeperOf(context, row)
  const call = storedCall(channel, `/uploads/${id}/parts`)
  const answer = await carryUpload(context, inbound, { channel, call }, await beginUpload(inbound))
  return show(await madeIn(answer, channel.key))
}

const complete: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const caller = await context.callers.identify(inbound)
  const row = await mine(context, caller, 'upload', id)
  await admitBody(context, inbound, caller)
  const body = readJsonObject(await readText(inbound))
  const done = await askKeeper(context, inbound, row, { method: 'POST', path: `/uploads/${id}/complete`, body })
  const file: JsonObject | undefined = objectOf(objectOf(done)?.file)
  if (file) await keepThing(context, keptBy(row), { kind: 'file', thing: file, days: fileDays })
  return show(done)
}

const cancel: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'upload', id)
  return show(await askKeeper(context, inbound, row, { method: 'POST', path: `/uploads/${id}/cancel` }))
}

/** Large files of OpenAI's, sent in parts. */
export const uploadRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1/uploads', admission: 'counted', serve: create },
  { method: 'POST', path: '/v1/uploads/{id}/parts', admission: 'counted', serve: addPart },
  { method: 'POST', path: '/v1/uploads/{id}/complete', admission: 'counted', serve: complete },
  { method: 'POST', path: '/v1/uploads/{id}/cancel', admission: 'counted', serve: cancel },
]
