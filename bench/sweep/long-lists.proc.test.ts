import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addresses } from '#server/relay/relay.routes.ts'
import { match } from '#server/relay/request/relay-route.ts'
import { asked } from '../fuzz/door-requests.ts'
import { longLists } from './long-lists.ts'
import { type RelayApart, startRelayApart } from './relay-apart.ts'

/** Nobody waits longer for what one caller sends. */
const waitMost = 250

let relay: RelayApart
beforeAll(async () => {
  relay = await startRelayApart()
})
afterAll(() => relay.stop())

/** Every call of the relay that takes a body, with a good one; a call without one fails. */
const calls = addresses
  .filter(({ method }) => method === 'POST')
  .map((known) => ({
    path: known.path,
    samples: asked.filter(({ method, path }) => method === 'POST' && match(known, path.replaceAll('{id}', 'x'))),
  }))

function send(path: string, text: string, who: 'rich' | 'poor'): Promise<unknown> {
  const { key, conversation } = relay.callers[who]
  const named = path.replace('/conversations/{id}', `/conversations/${conversation}`).replaceAll('{id}', 'x')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(relay.url + named, { method: 'POST', headers, body: text }).then((answer) => answer.text())
}

describe.each(calls)('2 MB of any list of $path', ({ samples }) => {
  test.each(['poor', 'rich'] as const)('keep nobody else waiting, of a caller who is %s', async (who) => {
    expect(samples).not.toEqual([])
    const waits: [string, number][] = []
    for (const { path, body } of samples)
      for (const { what, text } of longLists({ ...(body as object) })) {
        const wait = await relay.waitDuring(() => send(path, text, who))
        if (wait > waitMost) waits.push([what, Math.round(wait)])
      }
    expect(waits).toEqual([])
  })
})
