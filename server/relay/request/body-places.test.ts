import { expect, test } from 'bun:test'
import { RelayFault } from '#server/relay/refusals.ts'
import { BodyPlace } from './body-place.ts'
import { createBodyPlaces } from './body-places.ts'

const megabyte = 1024 * 1024
const stays = new AbortController().signal
const none = { bytes: 0, accounts: 0, waiting: 0 }

function placesFor(waitMs?: number) {
  const places = createBodyPlaces(waitMs)
  const placeOf = (account: number) => {
    const place = new BodyPlace(places)
    place.belongsTo(account)
    return place
  }
  const taken = async (account: number, megabytes: number) => {
    const place = placeOf(account)
    await place.take(megabytes * megabyte, stays)
    return place
  }
  return { places, placeOf, taken }
}

test('a third long body of an account waits until one of the two is answered', async () => {
  const { places, placeOf, taken } = placesFor()
  const [first] = [await taken(1, 5), await taken(1, 5)]
  const third = placeOf(1)
  const admitted = third.take(5 * megabyte, stays)
  expect(places.taken()).toMatchObject({ waiting: 1 })
  await taken(2, 5)
  first.answered()
  await admitted
  expect(places.taken()).toEqual({ bytes: 15 * megabyte, accounts: 2, waiting: 0 })
})

test('whoever waits too long is refused, with the time to come again', async () => {
  const { places, placeOf, taken } = placesFor(10)
  await taken(1, 5)
  await taken(1, 5)
  const refused = await placeOf(1)
    .take(5 * megabyte, stays)
    .catch((error) => error)
  expect(refused).toBeInstanceOf(RelayFault)
  expect(refused).toMatchObject({ fault: { status: 503 }, retryAfter: '10' })
  expect(places.taken()).toEqual({ bytes: 10 * megabyte, accounts: 1, waiting: 0 })
})

test('a client that leaves waits no longer', async () => {
  const { places, placeOf, taken } = placesFor()
  await taken(1, 5)
  await taken(1, 5)
  const client = new AbortController()
  const left = placeOf(1).take(5 * megabyte, client.signal)
  client.abort()
  await expect(left).rejects.toThrow()
  expect(places.taken().waiting).toBe(0)
})

test('all bodies together are never more than 256 MB, and neither long nor short ones keep the others away', async () => {
  const { places, placeOf, taken } = placesFor(10)
  for (const account of [1, 2, 3]) await taken(account, 64)
  await expect(placeOf(4).take(64 * megabyte, stays)).rejects.toThrow()
  for (let count = 0; count < 64; count += 1) await taken(5, 1)
  expect(places.taken().bytes).toBe(256 * megabyte)
  await expect(placeOf(6).take(megabyte, stays)).rejects.toThrow()
})

test('an account that streams answers to long bodies has half of the room at most', async () => {
  const { taken, placeOf } = placesFor(10)
  for (let count = 0; count < 2; count += 1) {
    const place = await taken(1, 60)
    place.keep()
    place.answered()
  }
  await expect(placeOf(1).take(20 * megabyte, stays)).rejects.toThrow()
  await taken(2, 60)
})

test('a place is free again however its request ends, and once only', async () => {
  const { places, taken } = placesFor()
  const refused = await taken(1, 5)
  refused.answered()
  refused.answered()
  const streamed = await taken(1, 5)
  streamed.keep()
  streamed.answered()
  expect(places.taken()).toEqual({ bytes: 5 * megabyte, accounts: 1, waiting: 0 })
  streamed.free()
  streamed.free()
  const grown = await taken(1, 1)
  await grown.take(8 * megabyte, stays)
  grown.shrink(2 * megabyte)
  expect(places.taken().bytes).toBe(2 * megabyte)
  grown.answered()
  expect(places.taken()).toEqual(none)
})
