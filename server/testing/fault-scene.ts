import { expect } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type Behaviour, chatAnswer, chatStream } from './fake-upstream.ts'
import { type RelayScene, startRelayScene } from './relay-scene.ts'

export const usage = { prompt_tokens: 10, completion_tokens: 5 }
export const good = chatAnswer('hello', usage)
export const goodStream = chatStream(['hello'], usage)

/** A relay that waits for upstreams for a second. */
export const startFaultScene = (): Promise<RelayScene> =>
  startRelayScene({ env: { UPSTREAM_HEADERS_TIMEOUT: '1', UPSTREAM_IDLE_TIMEOUT: '1' } })

export async function clearFaultScene(scene: RelayScene): Promise<void> {
  scene.app.time.now = null
  await scene.clear()
}

/** Stops it once every balance has been proven. */
export async function stopFaultScene(scene: RelayScene): Promise<void> {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
}

interface ErrorBody {
  readonly error: { readonly message: string; readonly type: string; readonly code: string | null }
}

/** The error in an answer, which names the request. */
export async function errorOf(response: Response): Promise<ErrorBody['error']> {
  const { error } = (await response.json()) as ErrorBody
  expect(error.message).toContain(`request id: ${response.headers.get('x-request-id')}`)
  return error
}

/** A first channel in trouble and a good one behind it. */
export async function pairOf(scene: RelayScene, first: Behaviour | Behaviour[], second: Behaviour = good) {
  await scene.option('RetryTimes', 1)
  const troubled = await scene.channel(first, { priority: 9 })
  const other = await scene.channel(second)
  return { troubled, other, both: `${troubled.id},${other.id}` }
}
