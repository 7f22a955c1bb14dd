import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test'
import { toFile } from 'openai'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type FilingVendor, startFilingVendor } from './filing/filing-vendor.ts'
import { type RelayScene, startRelayScene } from './relay-scene.ts'
import { type SdkClients, sdkClients } from './sdk-clients.ts'

/** A relay with a channel of each vendor that works on batches, and those vendors' own clients. */
export interface BatchScene {
  readonly scene: RelayScene
  readonly own: SdkClients
  vendor(): FilingVendor
  /** A new vendor behind new channels. */
  fresh(): Promise<void>
  clear(): Promise<void>
  /** What the relay does by itself once in a while. */
  lookAround(): Promise<void>
  /** As if the node that began it had been killed before it wrote down the vendor's yes, so many seconds ago. */
  forget(vendorId: string, seconds?: number): Promise<void>
  /** A batch of OpenAI's with these lines. */
  openaiBatch(lines: readonly (Record<string, unknown> | string)[]): Promise<string>
  stop(): Promise<void>
}

/** 8 tokens in and at most 20 out at `gpt-4o`, which costs 1 and 4 here. */
export const chatLine = (id: string, more: Record<string, unknown> = {}) => ({
  custom_id: id,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user', content: 'hi' }], ...more },
})

export async function startBatchScene(): Promise<BatchScene> {
  const scene = await startRelayScene()
  const own = sdkClients(scene.app.url, scene.key)
  let vendor = startFilingVendor()
  const { db } = scene.app.ctx.database
  return {
    scene,
    own,
    vendor: () => vendor,
    async fresh() {
      vendor = startFilingVendor()
      const add = (type: number, models: string) =>
        scene.channel(() => new Response(), { type, models, base_url: vendor.url, name: `of-${type}` })
      await add(1, 'gpt-4o,unpriced-model')
      await add(14, 'gpt-4o,claude-sonnet-4-5')
      await add(24, 'gpt-4o')
    },
    async clear() {
      await scene.clear()
      await db.deleteFrom('relay_state').execute()
      expect(await db.selectFrom('long_work').selectAll().execute()).toEqual([])
      await vendor.stop()
    },
    async lookAround() {
      for (const job of ['find-lost-work', 'look-at-long-work']) {
        await db.updateTable('long_work').set({ next_look_at: 0 }).execute()
        await scene.app.jobs.find(({ name }) => name === job)?.run(scene.app.ctx)
      }
    },
    async forget(vendorId, seconds = 100) {
      const lost = { vendor_id: '', node: 'a-dead-node', created_at: Math.floor(Date.now() / 1000) - seconds }
      await db.updateTable('long_work').set(lost).where('vendor_id', '=', vendorId).execute()
      await db.deleteFrom('relay_state').where('id', '=', vendorId).execute()
    },
    async openaiBatch(lines) {
      const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
      const file = await own.openai.files.create({ file: await toFile(Buffer.from(text), 'b.jsonl'), purpose: 'batch' })
      const endpoint = '/v1/chat/completions'
      const batch = await own.openai.batches.create({
        input_file_id: file.id,
        endpoint,
        completion_window: '24h',
      })
      return batch.id
    },
    async stop() {
      await scene.stop()
      await vendor.stop()
    },
  }
}

/** A scene for the tests of a file; none of them may leave the books untrue. */
export function onBatchScene(begin: (on: BatchScene) => void): void {
  let on: BatchScene
  beforeAll(async () => {
    on = await startBatchScene()
    begin(on)
  })
  beforeEach(() => on.fresh())
  afterEach(() => on.clear())
  afterAll(async () => {
    expect(await reconcile(on.scene.app.ctx.database.db)).toEqual([])
    await on.stop()
  })
}

/** Why a client was refused; null when it was not. */
export const refusedWith = (work: PromiseLike<unknown>): PromiseLike<{ status: number; message: string } | null> =>
  work.then(
    () => null,
    (error: { status: number; message: string }) => error,
  )
