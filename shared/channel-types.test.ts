import { expect, test } from 'bun:test'
import { channelTypeIds, channelTypeOf, channelTypes, modelsByChannelType } from './channel-types.ts'

test('ids count from 1 without a gap, the first 31 among them', () => {
  const ids = channelTypeIds.toSorted((a, b) => a - b)
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1))
  expect(ids.length).toBeGreaterThanOrEqual(31)
})

test('only Azure and the custom channel have no address of their own', () => {
  expect(channelTypes.filter((type) => type.baseUrl === '').map((type) => type.id)).toEqual([3, 8])
  for (const { baseUrl } of channelTypes) expect(baseUrl).not.toEndWith('/')
})

test('the field beside the key defaults to the version of Azure and of Spark', () => {
  expect(channelTypeOf(3)?.other?.defaultValue).toBe('2024-03-01-preview')
  expect(channelTypeOf(18)?.other?.defaultValue).toBe('v2.1')
  expect(channelTypeOf(1)?.other).toBeNull()
  expect(channelTypeOf(0)).toBeUndefined()
})

test('composite keys say how they are put together', () => {
  const hints = [15, 18, 22, 23].map((id) => channelTypeOf(id)?.keyHint)
  expect(hints).toEqual(['APIKey|SecretKey', 'APPID|APISecret|APIKey', 'APIKey-AppId', 'AppId|SecretId|SecretKey'])
})

test('every type offers models, none of them twice', () => {
  for (const id of channelTypeIds) {
    const models = modelsByChannelType[id] ?? []
    expect(models.length).toBeGreaterThan(0)
    expect(new Set(models).size).toBe(models.length)
  }
})
