import { expect } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer } from './fake-upstream.ts'
import type { RelayScene } from './relay-scene.ts'
import type { TestApp } from './test-app.ts'

/** Each request is taken to have 13 tokens in and may have 200 out, at 4 each; and that is what it uses. */
const ask = { max_tokens: 200 }
const used = { prompt_tokens: 13, completion_tokens: 200 }
export const cost = 813
export const affordable = 7
export const parallel = 200

/** Holds every answer back until all requests have come in, so that they really run at the same time. */
export async function heldChannel(scene: RelayScene) {
  const all = Promise.withResolvers<void>()
  const channel = await scene.channel(async (seen) => {
    await all.promise
    return chatAnswer('hello', used)(seen)
  })
  return { channel, open: all.resolve }
}

/** Sends them all, alternating between the nodes; returns how many were let in and how many refused for money. */
export async function storm(nodes: readonly string[], key: string, open: () => void) {
  let refused = 0
  const answers = Array.from({ length: parallel }, async (_, at) => {
    const response = await fetch(`${nodes[at % nodes.length]}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...ask }),
    })
    await response.text()
    if (response.status === 402) refused += 1
    return response.status
  })
  while (refused < parallel - affordable) await Bun.sleep(5)
  open()
  const statuses = await Promise.all(answers)
  return {
    admitted: statuses.filter((status) => status === 200).length,
    refused: statuses.filter((status) => status === 402).length,
  }
}

export async function proven(app: TestApp): Promise<void> {
  expect(await reconcile(app.ctx.database.db)).toEqual([])
  const { db } = app.ctx.database
  const users = await db.selectFrom('users').select('quota').execute()
  const tokens = await db.selectFrom('tokens').select('remain_quota').execute()
  expect(Math.min(...users.map(({ quota }) => quota))).toBeGreaterThanOrEqual(0)
  expect(Math.min(...tokens.map(({ remain_quota }) => remain_quota))).toBeGreaterThanOrEqual(0)
}
