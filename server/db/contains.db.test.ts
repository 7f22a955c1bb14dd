import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: TestClient
const names = ['Дима', 'Über 50%', 'straße', 'ΟΔΟΣ', 'İzmir', '日本語']
beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
  for (const name of names) await root.call(api.channels.create, { name, key: 'k', models: 'm' })
})
afterAll(() => app.stop())

const found = async (keyword: string) =>
  (await root.call(api.channels.search, { keyword })).list.map(({ name }) => name)

test.each([
  ['дима', ['Дима']],
  ['ДИМА', ['Дима']],
  ['ÜBER', ['Über 50%']],
  ['über 50%', ['Über 50%']],
  ['über_50', []],
  ['STRAßE', ['straße']],
  ['οδο', ['ΟΔΟΣ']],
  ['İZM', ['İzmir']],
  ['本', ['日本語']],
  ['x', []],
])('a search for %p finds %p, whatever the case of its letters', async (keyword, expected) => {
  expect(await found(keyword)).toEqual(expected.toReversed())
})

test('a search for very many different letters is answered', async () => {
  const letters = Array.from({ length: 900 }, (_, at) => String.fromCodePoint(0x400 + at)).join('')
  expect(await found(letters)).toEqual([])
})

test('the history of a thing is found by its name, whatever the case of its letters', async () => {
  for (const target of ['Дима', 'дИМА', 'Über 50%', 'ÜBER 50%']) {
    expect((await root.call(api.history.list, { target })).total).toBe(1)
  }
})
