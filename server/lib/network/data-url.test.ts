import { expect, test } from 'bun:test'
import { parseDataUrl } from './data-url.ts'

test.each([
  ['data:image/jpg;base64,aGk=', 'image/jpeg', 'aGk='],
  ['DATA:Text/Plain;charset=utf-8;BASE64, aGk= ', 'text/plain', 'aGk='],
  ['data:,a%20b', 'text/plain', Buffer.from('a b').toString('base64')],
  ['data:text/plain;base64x,a,b', 'text/plain', Buffer.from('a,b').toString('base64')],
  ['data:;base64,aGk=', 'text/plain', 'aGk='],
])('%s holds what it says', (url, mediaType, base64) => {
  expect(parseDataUrl(url)).toEqual({ mediaType, base64 })
})

test.each(['https://a.example/x,y', 'data:image/png;base64', ''])('%p is none', (url) => {
  expect(parseDataUrl(url)).toBeUndefined()
})

test('however many parameters it has, it is read at once', () => {
  const began = performance.now()
  const parameters = ';'.repeat(2_000_000)
  for (let time = 0; time < 10; time += 1) {
    expect(parseDataUrl(`data:image/png${parameters},a`)?.mediaType).toBe('image/png')
  }
  expect(performance.now() - began).toBeLessThan(1000)
})
