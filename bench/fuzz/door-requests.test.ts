import { expect, test } from 'bun:test'
import { addresses } from '#server/relay/relay.routes.ts'
import { match } from '#server/relay/request/relay-route.ts'
import { asked } from './door-requests.ts'

test('every call of the relay is asked with a request of its own', () => {
  const paths = asked.map(({ method, path }) => ({ method, path: path.replace(/\?.*/, '').replaceAll('{id}', 'x') }))
  const left = addresses.filter(
    (known) => !paths.some(({ method, path }) => method === known.method && match(known, path)),
  )
  expect(left).toEqual([])
})
